/* ANSWER(algorithm, its known answer): the SHA-256 of what it makes, first 8 bytes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by self_test_answers.py. */

ANSWER(md5, 0x6769cc479b582cb8)
ANSWER(sha1, 0x421ea99b92f858ab)
ANSWER(sha256, 0xea5e2649fa7444cc)
ANSWER(sha512, 0x74775e91e57c5d51)
ANSWER(sm3, 0xf89dffe62d1d95fe)
ANSWER(aes_cbc_128, 0xa5828457b848f148)
ANSWER(aes_cbc_192, 0xed01fff4609e7304)
ANSWER(aes_cbc_256, 0x509786aeb12de20f)
ANSWER(aes_ctr_128, 0x631872d6f5df2879)
ANSWER(aes_ctr_192, 0xd0e5aa680657da94)
ANSWER(aes_ctr_256, 0x1fc67ddfab36a90e)
ANSWER(aes_gcm_128, 0xfbda452f7a372e7a)
ANSWER(aes_gcm_256, 0x96a5c22185eb96b9)
ANSWER(aes_xts_128, 0xad3eb06273d95ef2)
ANSWER(aes_xts_256, 0xa1a5013470d146c8)
ANSWER(mh_sha1, 0xbc1a7e442d0de945)
ANSWER(mh_sha256, 0xe42bf5c2f7afe5cd)
ANSWER(mh_sha1_murmur3_x64_128, 0xd34f7ec8c1dc5dcc)
ANSWER(rolling_hash2, 0x8020797bb41b1cb2)
