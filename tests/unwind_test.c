/* Windows: an access violation inside a kernel unwinds to the caller of the library, with all
 * registers that calls preserve.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each call meets a page without access in the middle of its work. A handler unwinds to the caller
 * and continues there, as if the call had returned. */

#include "tests/test.h"

#include <windows.h>

#include "isa-l.h"
#include "isa-l_crypto.h"

enum { PAGE = 4096, BYTES = 16 * PAGE, VALID = BYTES / 2 + 128, MAX_FRAMES = 16 };

static uint8_t *data; /* VALID bytes, then no access */
static CONTEXT before;
static unsigned faults, unwound;
static const char *called;

static int same_registers(const CONTEXT *a, const CONTEXT *b)
{
    return a->Rbx == b->Rbx && a->Rbp == b->Rbp && a->Rsi == b->Rsi && a->Rdi == b->Rdi &&
           a->R12 == b->R12 && a->R13 == b->R13 && a->R14 == b->R14 && a->R15 == b->R15 &&
           !memcmp(&a->Xmm6, &b->Xmm6, 10 * sizeof a->Xmm6);
}

static LONG CALLBACK on_fault(EXCEPTION_POINTERS *e)
{
    CONTEXT c = *e->ContextRecord;

    faults++;
    for (int frame = 0; frame < MAX_FRAMES && c.Rip; frame++) {
        DWORD64 base, establisher;
        void *handler_data;
        RUNTIME_FUNCTION *f = RtlLookupFunctionEntry(c.Rip, &base, NULL);

        if (f) {
            RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, c.Rip, f, &c, &handler_data, &establisher,
                             NULL);
        } else { /* a function without a frame */
            memcpy(&c.Rip, (const void *) c.Rsp, sizeof c.Rip);
            c.Rsp += 8;
        }
        if (c.Rsp == before.Rsp) {
            unwound += (unsigned) same_registers(&c, &before);
            c.Rax = 0;
            *e->ContextRecord = c;
            return EXCEPTION_CONTINUE_EXECUTION;
        }
    }
    printf("FAIL: the caller of %s was not found\n", called);
    ExitProcess(1);
}

typedef void call_fn(void);

__attribute__((noinline)) static void call(call_fn *volatile fn)
{
    RtlCaptureContext(&before);
    fn();
    __asm__ volatile("" ::: "memory"); /* or fn() would be a jump, without this frame */
}

static uint8_t out[4][BYTES], tables[32 * 10 * 4];
static uint8_t keys[2][32] = {{1}, {2}}, iv[16], schedule[2][240];

static void do_xor(void)
{
    void *array[4] = {out[0], out[1], data, out[2]};
    xor_gen(4, BYTES, array);
}

static void do_xor_many(void)
{
    void *array[12] = {data,   out[0], out[0], out[0], out[0], out[0],
                       out[0], out[0], out[0], out[0], out[0], out[1]};
    xor_gen(12, BYTES, array);
}

static void do_pq(void)
{
    void *array[6] = {out[0], out[1], data, out[0], out[2], out[3]};
    pq_gen(6, BYTES, array);
}

static void do_ec(void)
{
    uint8_t *in[10] = {data, data, data, data, data, data, data, data, data, data};
    uint8_t *parity[4] = {out[0], out[1], out[2], out[3]};
    ec_encode_data(BYTES, 10, 4, tables, in, parity);
}

static void do_ec_update(void)
{
    uint8_t *parity[4] = {out[0], out[1], out[2], out[3]};
    ec_encode_data_update(BYTES, 10, 4, 3, tables, data, parity);
}

static void do_crc32_copy(void)
{
    crc16_t10dif_copy(0, out[0], data, BYTES);
}

static void do_crc64(void)
{
    crc64_ecma_norm(0, data, BYTES);
}

static void do_adler(void)
{
    isal_adler32(1, data, BYTES);
}

static void do_zero_detect(void)
{
    memset(data, 0, VALID);
    isal_zero_detect(data, BYTES);
}

static void do_cbc_enc(void)
{
    isal_aes_cbc_enc_128(data, iv, schedule[0], out[0], BYTES);
}

static void do_cbc_dec(void)
{
    isal_aes_cbc_dec_256(data, iv, schedule[0], out[0], BYTES);
}

static void do_ctr(void)
{
    isal_aes_ctr_256(data, iv, schedule[0], out[0], BYTES);
}

static void do_xts(void)
{
    isal_aes_xts_enc_256(keys[0], keys[1], iv, BYTES, data, out[0]);
}

static void do_gcm(void)
{
    struct isal_gcm_key_data key;
    struct isal_gcm_context_data context;

    isal_aes_gcm_pre_256(keys[0], &key);
    isal_aes_gcm_enc_256(&key, &context, out[0], data, BYTES, iv, NULL, 0, out[1], 16);
}

static void hash_messages(int (*hash)(const void *const *, const uint64_t *, size_t, void *))
{
    const void *messages[16];
    uint64_t lengths[16];

    for (int i = 0; i < 16; i++) {
        messages[i] = data;
        lengths[i] = BYTES;
    }
    hash(messages, lengths, 16, out[0]);
}

static void do_md5(void)
{
    hash_messages(isal_md5_mb_hash);
}

static void do_sha256(void)
{
    hash_messages(isal_sha256_mb_hash);
}

static void do_sha512(void)
{
    hash_messages(isal_sha512_mb_hash);
}

static void do_mh_sha256(void)
{
    struct isal_mh_sha256_ctx ctx;

    isal_mh_sha256_init(&ctx);
    isal_mh_sha256_update(&ctx, data, BYTES);
}

static const struct {
    const char *name;
    call_fn *fn;
} calls[] = {
    {"xor_gen", do_xor},
    {"xor_gen of many", do_xor_many},
    {"pq_gen", do_pq},
    {"ec_encode_data", do_ec},
    {"ec_encode_data_update", do_ec_update},
    {"crc16_t10dif_copy", do_crc32_copy},
    {"crc64_ecma_norm", do_crc64},
    {"isal_adler32", do_adler},
    {"isal_zero_detect", do_zero_detect},
    {"AES-CBC encryption", do_cbc_enc},
    {"AES-CBC decryption", do_cbc_dec},
    {"AES-CTR", do_ctr},
    {"AES-XTS", do_xts},
    {"AES-GCM", do_gcm},
    {"MD5", do_md5},
    {"SHA-256", do_sha256},
    {"SHA-512", do_sha512},
    {"mh_sha256", do_mh_sha256},
};

static void test_faults(void)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        faults = unwound = 0;
        called = calls[i].name;
        call(calls[i].fn);
        EXPECT(faults > 0, "%s meets the page", calls[i].name);
        EXPECT(unwound == faults, "%s: a register differs after unwinding", calls[i].name);
    }
}

int main(int argc, char **argv)
{
    DWORD old;

    test_start(argc, argv);
    data = VirtualAlloc(NULL, BYTES + PAGE, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (!EXPECT(data != NULL, "memory"))
        return 1;
    /* The page begins VALID bytes after `data`. */
    VirtualProtect(data + PAGE * (VALID / PAGE + 1), PAGE, PAGE_NOACCESS, &old);
    data += PAGE - VALID % PAGE;
    isal_aes_keyexp_256(keys[0], schedule[0], schedule[1]);
    AddVectoredExceptionHandler(1, on_fault);
    TEST(test_faults);
    return test_finish();
}
