/* Texts for the error codes of libisal_crypto.
 * SPDX-License-Identifier: BSD-3-Clause */

#include "isa-l_crypto/isal_crypto_api.h"

#include "compiler.h"

static const struct {
    int code;
    const char *text;
} texts[] = {
    {ISAL_CRYPTO_ERR_NONE, "success"},
    {ISAL_CRYPTO_ERR_NULL_SRC, "the input is NULL"},
    {ISAL_CRYPTO_ERR_NULL_DST, "the output is NULL"},
    {ISAL_CRYPTO_ERR_NULL_CTX, "the context is NULL"},
    {ISAL_CRYPTO_ERR_NULL_MGR, "the manager is NULL"},
    {ISAL_CRYPTO_ERR_NULL_KEY, "the key is NULL"},
    {ISAL_CRYPTO_ERR_NULL_EXP_KEY, "the expanded key is NULL"},
    {ISAL_CRYPTO_ERR_NULL_IV, "the IV is NULL"},
    {ISAL_CRYPTO_ERR_NULL_AUTH, "the tag or digest is NULL"},
    {ISAL_CRYPTO_ERR_NULL_AAD, "the additional data is NULL"},
    {ISAL_CRYPTO_ERR_CIPH_LEN, "invalid length of the text"},
    {ISAL_CRYPTO_ERR_AUTH_TAG_LEN, "invalid length of the tag"},
    {ISAL_CRYPTO_ERR_INVALID_FLAGS, "invalid flags of a hash job"},
    {ISAL_CRYPTO_ERR_ALREADY_PROCESSING, "a manager still owns the hash context"},
    {ISAL_CRYPTO_ERR_ALREADY_COMPLETED, "the message of the hash context has ended"},
    {ISAL_CRYPTO_ERR_XTS_NULL_TWEAK, "the tweak is NULL"},
    {ISAL_CRYPTO_ERR_XTS_SAME_KEYS, "the two keys of XTS are equal"},
    {ISAL_CRYPTO_ERR_SELF_TEST, "a self test failed"},
    {ISAL_CRYPTO_ERR_FIPS_INVALID_ALGO, "the algorithm is not allowed in FIPS mode"},
    {ISAL_CRYPTO_ERR_WINDOW_SIZE, "invalid window or chunk size"},
    {ISAL_CRYPTO_ERR_NULL_OFFSET, "the offset is NULL"},
    {ISAL_CRYPTO_ERR_NULL_MATCH, "the match is NULL"},
    {ISAL_CRYPTO_ERR_NULL_MASK, "the mask is NULL"},
    {ISAL_CRYPTO_ERR_NULL_INIT_VAL, "the initial bytes are NULL"},
    {ISAL_CRYPTO_ERR_FIPS_DISABLED, "the library was built without FIPS mode"},
};

ISAL_PUBLIC const char *isal_crypto_strerror(int error)
{
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].code == error)
            return texts[i].text;
    return "unknown error";
}
