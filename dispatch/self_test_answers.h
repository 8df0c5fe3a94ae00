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
/* Table of the rolling hash: X(word, n) for the first 16384 bits of the fraction of pi.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by rolling_table.py. */

#ifndef ROLLING_TABLE_H
#define ROLLING_TABLE_H

/* clang-format off */
#define ROLLING_TABLE(X, n) \
    X(0x243f6a8885a308d3, n) X(0x13198a2e03707344, n) X(0xa4093822299f31d0, n) \
    X(0x082efa98ec4e6c89, n) X(0x452821e638d01377, n) X(0xbe5466cf34e90c6c, n) \
    X(0xc0ac29b7c97c50dd, n) X(0x3f84d5b5b5470917, n) X(0x9216d5d98979fb1b, n) \
    X(0xd1310ba698dfb5ac, n) X(0x2ffd72dbd01adfb7, n) X(0xb8e1afed6a267e96, n) \
    X(0xba7c9045f12c7f99, n) X(0x24a19947b3916cf7, n) X(0x0801f2e2858efc16, n) \
    X(0x636920d871574e69, n) X(0xa458fea3f4933d7e, n) X(0x0d95748f728eb658, n) \
    X(0x718bcd5882154aee, n) X(0x7b54a41dc25a59b5, n) X(0x9c30d5392af26013, n) \
    X(0xc5d1b023286085f0, n) X(0xca417918b8db38ef, n) X(0x8e79dcb0603a180e, n) \
    X(0x6c9e0e8bb01e8a3e, n) X(0xd71577c1bd314b27, n) X(0x78af2fda55605c60, n) \
    X(0xe65525f3aa55ab94, n) X(0x5748986263e81440, n) X(0x55ca396a2aab10b6, n) \
    X(0xb4cc5c341141e8ce, n) X(0xa15486af7c72e993, n) X(0xb3ee1411636fbc2a, n) \
    X(0x2ba9c55d741831f6, n) X(0xce5c3e169b87931e, n) X(0xafd6ba336c24cf5c, n) \
    X(0x7a32538128958677, n) X(0x3b8f48986b4bb9af, n) X(0xc4bfe81b66282193, n) \
    X(0x61d809ccfb21a991, n) X(0x487cac605dec8032, n) X(0xef845d5de98575b1, n) \
    X(0xdc262302eb651b88, n) X(0x23893e81d396acc5, n) X(0x0f6d6ff383f44239, n) \
    X(0x2e0b4482a4842004, n) X(0x69c8f04a9e1f9b5e, n) X(0x21c66842f6e96c9a, n) \
    X(0x670c9c61abd388f0, n) X(0x6a51a0d2d8542f68, n) X(0x960fa728ab5133a3, n) \
    X(0x6eef0b6c137a3be4, n) X(0xba3bf0507efb2a98, n) X(0xa1f1651d39af0176, n) \
    X(0x66ca593e82430e88, n) X(0x8cee8619456f9fb4, n) X(0x7d84a5c33b8b5ebe, n) \
    X(0xe06f75d885c12073, n) X(0x401a449f56c16aa6, n) X(0x4ed3aa62363f7706, n) \
    X(0x1bfedf72429b023d, n) X(0x37d0d724d00a1248, n) X(0xdb0fead349f1c09b, n) \
    X(0x075372c980991b7b, n) X(0x25d479d8f6e8def7, n) X(0xe3fe501ab6794c3b, n) \
    X(0x976ce0bd04c006ba, n) X(0xc1a94fb6409f60c4, n) X(0x5e5c9ec2196a2463, n) \
    X(0x68fb6faf3e6c53b5, n) X(0x1339b2eb3b52ec6f, n) X(0x6dfc511f9b30952c, n) \
    X(0xcc814544af5ebd09, n) X(0xbee3d004de334afd, n) X(0x660f2807192e4bb3, n) \
    X(0xc0cba85745c8740f, n) X(0xd20b5f39b9d3fbdb, n) X(0x5579c0bd1a60320a, n) \
    X(0xd6a100c6402c7279, n) X(0x679f25fefb1fa3cc, n) X(0x8ea5e9f8db3222f8, n) \
    X(0x3c7516dffd616b15, n) X(0x2f501ec8ad0552ab, n) X(0x323db5fafd238760, n) \
    X(0x53317b483e00df82, n) X(0x9e5c57bbca6f8ca0, n) X(0x1a87562edf1769db, n) \
    X(0xd542a8f6287effc3, n) X(0xac6732c68c4f5573, n) X(0x695b27b0bbca58c8, n) \
    X(0xe1ffa35db8f011a0, n) X(0x10fa3d98fd2183b8, n) X(0x4afcb56c2dd1d35b, n) \
    X(0x9a53e479b6f84565, n) X(0xd28e49bc4bfb9790, n) X(0xe1ddf2daa4cb7e33, n) \
    X(0x62fb1341cee4c6e8, n) X(0xef20cada36774c01, n) X(0xd07e9efe2bf11fb4, n) \
    X(0x95dbda4dae909198, n) X(0xeaad8e716b93d5a0, n) X(0xd08ed1d0afc725e0, n) \
    X(0x8e3c5b2f8e7594b7, n) X(0x8ff6e2fbf2122b64, n) X(0x8888b812900df01c, n) \
    X(0x4fad5ea0688fc31c, n) X(0xd1cff191b3a8c1ad, n) X(0x2f2f2218be0e1777, n) \
    X(0xea752dfe8b021fa1, n) X(0xe5a0cc0fb56f74e8, n) X(0x18acf3d6ce89e299, n) \
    X(0xb4a84fe0fd13e0b7, n) X(0x7cc43b81d2ada8d9, n) X(0x165fa26680957705, n) \
    X(0x93cc7314211a1477, n) X(0xe6ad206577b5fa86, n) X(0xc75442f5fb9d35cf, n) \
    X(0xebcdaf0c7b3e89a0, n) X(0xd6411bd3ae1e7e49, n) X(0x00250e2d2071b35e, n) \
    X(0x226800bb57b8e0af, n) X(0x2464369bf009b91e, n) X(0x5563911d59dfa6aa, n) \
    X(0x78c14389d95a537f, n) X(0x207d5ba202e5b9c5, n) X(0x832603766295cfa9, n) \
    X(0x11c819684e734a41, n) X(0xb3472dca7b14a94a, n) X(0x1b5100529a532915, n) \
    X(0xd60f573fbc9bc6e4, n) X(0x2b60a47681e67400, n) X(0x08ba6fb5571be91f, n) \
    X(0xf296ec6b2a0dd915, n) X(0xb6636521e7b9f9b6, n) X(0xff34052ec5855664, n) \
    X(0x53b02d5da99f8fa1, n) X(0x08ba47996e85076a, n) X(0x4b7a70e9b5b32944, n) \
    X(0xdb75092ec4192623, n) X(0xad6ea6b049a7df7d, n) X(0x9cee60b88fedb266, n) \
    X(0xecaa8c71699a17ff, n) X(0x5664526cc2b19ee1, n) X(0x193602a575094c29, n) \
    X(0xa0591340e4183a3e, n) X(0x3f54989a5b429d65, n) X(0x6b8fe4d699f73fd6, n) \
    X(0xa1d29c07efe830f5, n) X(0x4d2d38e6f0255dc1, n) X(0x4cdd20868470eb26, n) \
    X(0x6382e9c6021ecc5e, n) X(0x09686b3f3ebaefc9, n) X(0x3c9718146b6a70a1, n) \
    X(0x687f358452a0e286, n) X(0xb79c5305aa500737, n) X(0x3e07841c7fdeae5c, n) \
    X(0x8e7d44ec5716f2b8, n) X(0xb03ada37f0500c0d, n) X(0xf01c1f040200b3ff, n) \
    X(0xae0cf51a3cb574b2, n) X(0x25837a58dc0921bd, n) X(0xd19113f97ca92ff6, n) \
    X(0x9432477322f54701, n) X(0x3ae5e58137c2dadc, n) X(0xc8b576349af3dda7, n) \
    X(0xa94461460fd0030e, n) X(0xecc8c73ea4751e41, n) X(0xe238cd993bea0e2f, n) \
    X(0x3280bba1183eb331, n) X(0x4e548b384f6db908, n) X(0x6f420d03f60a04bf, n) \
    X(0x2cb8129024977c79, n) X(0x5679b072bcaf89af, n) X(0xde9a771fd9930810, n) \
    X(0xb38bae12dccf3f2e, n) X(0x5512721f2e6b7124, n) X(0x501adde69f84cd87, n) \
    X(0x7a5847187408da17, n) X(0xbc9f9abce94b7d8c, n) X(0xec7aec3adb851dfa, n) \
    X(0x63094366c464c3d2, n) X(0xef1c18473215d908, n) X(0xdd433b3724c2ba16, n) \
    X(0x12a14d432a65c451, n) X(0x50940002133ae4dd, n) X(0x71dff89e10314e55, n) \
    X(0x81ac77d65f11199b, n) X(0x043556f1d7a3c76b, n) X(0x3c11183b5924a509, n) \
    X(0xf28fe6ed97f1fbfa, n) X(0x9ebabf2c1e153c6e, n) X(0x86e34570eae96fb1, n) \
    X(0x860e5e0a5a3e2ab3, n) X(0x771fe71c4e3d06fa, n) X(0x2965dcb999e71d0f, n) \
    X(0x803e89d65266c825, n) X(0x2e4cc9789c10b36a, n) X(0xc6150eba94e2ea78, n) \
    X(0xa5fc3c531e0a2df4, n) X(0xf2f74ea7361d2b3d, n) X(0x1939260f19c27960, n) \
    X(0x5223a708f71312b6, n) X(0xebadfe6eeac31f66, n) X(0xe3bc4595a67bc883, n) \
    X(0xb17f37d1018cff28, n) X(0xc332ddefbe6c5aa5, n) X(0x6558218568ab9802, n) \
    X(0xeecea50fdb2f953b, n) X(0x2aef7dad5b6e2f84, n) X(0x1521b62829076170, n) \
    X(0xecdd4775619f1510, n) X(0x13cca830eb61bd96, n) X(0x0334fe1eaa0363cf, n) \
    X(0xb5735c904c70a239, n) X(0xd59e9e0bcbaade14, n) X(0xeecc86bc60622ca7, n) \
    X(0x9cab5cabb2f3846e, n) X(0x648b1eaf19bdf0ca, n) X(0xa02369b9655abb50, n) \
    X(0x40685a323c2ab4b3, n) X(0x319ee9d5c021b8f7, n) X(0x9b540b19875fa099, n) \
    X(0x95f7997e623d7da8, n) X(0xf837889a97e32d77, n) X(0x11ed935f16681281, n) \
    X(0x0e358829c7e61fd6, n) X(0x96dedfa17858ba99, n) X(0x57f584a51b227263, n) \
    X(0x9b83c3ff1ac24696, n) X(0xcdb30aeb532e3054, n) X(0x8fd948e46dbc3128, n) \
    X(0x58ebf2ef34c6ffea, n) X(0xfe28ed61ee7c3c73, n) X(0x5d4a14d9e864b7e3, n) \
    X(0x42105d14203e13e0, n) X(0x45eee2b6a3aaabea, n) X(0xdb6c4f15facb4fd0, n) \
    X(0xc742f442ef6abbb5, n) X(0x654f3b1d41cd2105, n) X(0xd81e799e86854dc7, n) \
    X(0xe44b476a3d816250, n) X(0xcf62a1f25b8d2646, n) X(0xfc8883a0c1c7b6a3, n) \
    X(0x7f1524c369cb7492, n) X(0x47848a0b5692b285, n) X(0x095bbf00ad19489d, n) \
    X(0x1462b17423820e00, n) X(0x58428d2a0c55f5ea, n) X(0x1dadf43e233f7061, n) \
    X(0x3372f0928d937e41, n) X(0xd65fecf16c223bdb, n) X(0x7cde3759cbee7460, n) \
    X(0x4085f2a7ce77326e, n) X(0xa607808419f8509e, n) X(0xe8efd85561d99735, n) \
    X(0xa969a7aac50c06c2, n)

#endif
ANSWER(rolling_hash2, 0x8020797bb41b1cb2)
