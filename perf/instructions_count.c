/* A plugin of qemu-user that counts the instructions of a program, for perf/instructions.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Debian does not install the header of plugins, so what is used of it is declared here. Source:
 * QEMU documentation, "QEMU TCG Plugins". At exit, the number goes to the file that the environment
 * variable COUNT_FILE names. */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t plugin_id;
enum { PLUGIN_VERSION = 1, ADD_U64 = 0 };

extern int qemu_plugin_version;
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*callback)(plugin_id, void *));
void qemu_plugin_register_vcpu_tb_exec_inline(void *block, int operation, void *to, uint64_t n);
void qemu_plugin_register_atexit_cb(plugin_id id, void (*callback)(plugin_id, void *), void *data);
size_t qemu_plugin_tb_n_insns(const void *block);

int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t instructions;

/* Each execution of a translated block adds the number of its instructions. */
static void translated(plugin_id id, void *block)
{
    (void) id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, ADD_U64, &instructions,
                                             qemu_plugin_tb_n_insns(block));
}

static void at_exit(plugin_id id, void *data)
{
    const char *name = getenv("COUNT_FILE");
    FILE *f = name ? fopen(name, "w") : NULL;

    (void) id;
    (void) data;
    if (!f || fprintf(f, "%" PRIu64 "\n", instructions) < 0 || fclose(f))
        perror("COUNT_FILE");
}

int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
    (void) info;
    (void) argc;
    (void) argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, at_exit, NULL);
    return 0;
}
