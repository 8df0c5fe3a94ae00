/* Shared by the fuzz harnesses.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     FUZZ_HARNESS(crc)
 *     {
 *         unsigned seed = fuzz_number(in, 0xffff);
 *         size_t len = in->left;
 *         uint8_t *data = fuzz_copy(in, len);
 *
 *         FUZZ_EXPECT(crc(seed, data, len) == slow_crc(seed, data, len), "%zu bytes", len);
 *         free(data);
 *     }
 *
 * A harness reads its parameters from the input, then the data from the remaining bytes. Every
 * input is valid: a number after the end of the input is 0. Buffers for the library are on the heap
 * and of exact size, so that the sanitizers detect an access outside them. */

#ifndef FUZZ_H
#define FUZZ_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fuzz_input {
    const uint8_t *data;
    size_t left;
};

/* Under libFuzzer (make fuzz) the harness is the program; in the replay it is one of many. */
#ifdef FUZZ_LIBFUZZER
#define FUZZ_HARNESS(name)                                       \
    static void fuzz_##name(struct fuzz_input *);                \
    int LLVMFuzzerTestOneInput(const uint8_t *, size_t);         \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
    {                                                            \
        fuzz_##name(&(struct fuzz_input){data, size});           \
        return 0;                                                \
    }                                                            \
    static void fuzz_##name(struct fuzz_input *in)
#else
struct fuzz_harness {
    const char *name;
    void (*function)(struct fuzz_input *);
    struct fuzz_harness *next;
};
void fuzz_register(struct fuzz_harness *);
#define FUZZ_HARNESS(name)                                               \
    static void fuzz_##name(struct fuzz_input *);                        \
    __attribute__((constructor)) static void register_##name(void)       \
    {                                                                    \
        static struct fuzz_harness harness = {#name, fuzz_##name, NULL}; \
        fuzz_register(&harness);                                         \
    }                                                                    \
    static void fuzz_##name(struct fuzz_input *in)
#endif

/* Prints the message and stops the program unless the condition holds. */
#define FUZZ_EXPECT(condition, ...) \
    ((condition) ? (void) 0 : fuzz_fail(__FILE__, __LINE__, #condition, __VA_ARGS__))

__attribute__((format(printf, 4, 5), noreturn)) static inline void
fuzz_fail(const char *file, int line, const char *condition, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "FAIL %s:%d: %s: ", file, line, condition);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\n");
    abort();
}

/* Heap memory, never NULL. */
static inline void *fuzz_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        fuzz_fail(__FILE__, __LINE__, "memory", "%zu bytes", size);
    return p;
}

/* Reads a number from 0 to max, from as few bytes of the input as possible. */
static inline uint32_t fuzz_number(struct fuzz_input *in, uint32_t max)
{
    uint64_t number = 0;

    for (uint64_t range = max; range; range >>= 8) {
        number <<= 8;
        if (in->left) {
            number |= *in->data++;
            in->left--;
        }
    }
    return (uint32_t) (number % ((uint64_t) max + 1));
}

/* Returns a heap copy of the next len bytes of the input, with zeros after its end. */
static inline uint8_t *fuzz_copy(struct fuzz_input *in, size_t size)
{
    size_t given = size < in->left ? size : in->left;
    uint8_t *copy = fuzz_alloc(size);

    memcpy(copy, in->data, given);
    memset(copy + given, 0, size - given);
    in->data += given;
    in->left -= given;
    return copy;
}

#endif
