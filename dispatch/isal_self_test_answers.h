/* ANSWER(algorithm, its known answer): the 64-bit FNV-1a hash of what it makes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by isal_self_test_answers.py. */

ANSWER(erasure_code, 0x4f83dd5c2ff99520)
ANSWER(raid_xor, 0x0e7e7090c47ef822)
ANSWER(raid_pq, 0x7235ea1d77d0cf80)
ANSWER(crc16_t10dif, 0x374f3dbdea2e886e)
ANSWER(crc32_ieee, 0x03380c9db4e54781)
ANSWER(crc32_gzip_refl, 0xf9c402c2d162ba4c)
ANSWER(crc32_iscsi, 0xf4fc9080e1c6f39d)
ANSWER(crc64_ecma_norm, 0xd3795336e43894d3)
ANSWER(crc64_ecma_refl, 0x2d1db9b04d8919d2)
ANSWER(crc64_iso_norm, 0x7c0a49902e8b31e9)
ANSWER(crc64_iso_refl, 0xbbce4eb678edc16f)
ANSWER(crc64_jones_norm, 0x2d32079e865afdeb)
ANSWER(crc64_jones_refl, 0x536c708906dc8a28)
ANSWER(crc64_rocksoft_norm, 0x906e60960faaaba6)
ANSWER(crc64_rocksoft_refl, 0xeb666bdefd016026)
ANSWER(adler32, 0x907a4709803de142)
ANSWER(zero_detect, 0xcbf29ce484222325)
ANSWER(deflate, 0xcbf29ce484222325)
