/* Table of the rolling hash: X(word) for the first 16384 bits of the fraction of pi.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Made by rolling_table.py. */

#ifndef ROLLING_TABLE_H
#define ROLLING_TABLE_H

#define ROLLING_TABLE(X) \
    X(0x243f6a8885a308d3) X(0x13198a2e03707344) X(0xa4093822299f31d0) \
    X(0x082efa98ec4e6c89) X(0x452821e638d01377) X(0xbe5466cf34e90c6c) \
    X(0xc0ac29b7c97c50dd) X(0x3f84d5b5b5470917) X(0x9216d5d98979fb1b) \
    X(0xd1310ba698dfb5ac) X(0x2ffd72dbd01adfb7) X(0xb8e1afed6a267e96) \
    X(0xba7c9045f12c7f99) X(0x24a19947b3916cf7) X(0x0801f2e2858efc16) \
    X(0x636920d871574e69) X(0xa458fea3f4933d7e) X(0x0d95748f728eb658) \
    X(0x718bcd5882154aee) X(0x7b54a41dc25a59b5) X(0x9c30d5392af26013) \
    X(0xc5d1b023286085f0) X(0xca417918b8db38ef) X(0x8e79dcb0603a180e) \
    X(0x6c9e0e8bb01e8a3e) X(0xd71577c1bd314b27) X(0x78af2fda55605c60) \
    X(0xe65525f3aa55ab94) X(0x5748986263e81440) X(0x55ca396a2aab10b6) \
    X(0xb4cc5c341141e8ce) X(0xa15486af7c72e993) X(0xb3ee1411636fbc2a) \
    X(0x2ba9c55d741831f6) X(0xce5c3e169b87931e) X(0xafd6ba336c24cf5c) \
    X(0x7a32538128958677) X(0x3b8f48986b4bb9af) X(0xc4bfe81b66282193) \
    X(0x61d809ccfb21a991) X(0x487cac605dec8032) X(0xef845d5de98575b1) \
    X(0xdc262302eb651b88) X(0x23893e81d396acc5) X(0x0f6d6ff383f44239) \
    X(0x2e0b4482a4842004) X(0x69c8f04a9e1f9b5e) X(0x21c66842f6e96c9a) \
    X(0x670c9c61abd388f0) X(0x6a51a0d2d8542f68) X(0x960fa728ab5133a3) \
    X(0x6eef0b6c137a3be4) X(0xba3bf0507efb2a98) X(0xa1f1651d39af0176) \
    X(0x66ca593e82430e88) X(0x8cee8619456f9fb4) X(0x7d84a5c33b8b5ebe) \
    X(0xe06f75d885c12073) X(0x401a449f56c16aa6) X(0x4ed3aa62363f7706) \
    X(0x1bfedf72429b023d) X(0x37d0d724d00a1248) X(0xdb0fead349f1c09b) \
    X(0x075372c980991b7b) X(0x25d479d8f6e8def7) X(0xe3fe501ab6794c3b) \
    X(0x976ce0bd04c006ba) X(0xc1a94fb6409f60c4) X(0x5e5c9ec2196a2463) \
    X(0x68fb6faf3e6c53b5) X(0x1339b2eb3b52ec6f) X(0x6dfc511f9b30952c) \
    X(0xcc814544af5ebd09) X(0xbee3d004de334afd) X(0x660f2807192e4bb3) \
    X(0xc0cba85745c8740f) X(0xd20b5f39b9d3fbdb) X(0x5579c0bd1a60320a) \
    X(0xd6a100c6402c7279) X(0x679f25fefb1fa3cc) X(0x8ea5e9f8db3222f8) \
    X(0x3c7516dffd616b15) X(0x2f501ec8ad0552ab) X(0x323db5fafd238760) \
    X(0x53317b483e00df82) X(0x9e5c57bbca6f8ca0) X(0x1a87562edf1769db) \
    X(0xd542a8f6287effc3) X(0xac6732c68c4f5573) X(0x695b27b0bbca58c8) \
    X(0xe1ffa35db8f011a0) X(0x10fa3d98fd2183b8) X(0x4afcb56c2dd1d35b) \
    X(0x9a53e479b6f84565) X(0xd28e49bc4bfb9790) X(0xe1ddf2daa4cb7e33) \
    X(0x62fb1341cee4c6e8) X(0xef20cada36774c01) X(0xd07e9efe2bf11fb4) \
    X(0x95dbda4dae909198) X(0xeaad8e716b93d5a0) X(0xd08ed1d0afc725e0) \
    X(0x8e3c5b2f8e7594b7) X(0x8ff6e2fbf2122b64) X(0x8888b812900df01c) \
    X(0x4fad5ea0688fc31c) X(0xd1cff191b3a8c1ad) X(0x2f2f2218be0e1777) \
    X(0xea752dfe8b021fa1) X(0xe5a0cc0fb56f74e8) X(0x18acf3d6ce89e299) \
    X(0xb4a84fe0fd13e0b7) X(0x7cc43b81d2ada8d9) X(0x165fa26680957705) \
    X(0x93cc7314211a1477) X(0xe6ad206577b5fa86) X(0xc75442f5fb9d35cf) \
    X(0xebcdaf0c7b3e89a0) X(0xd6411bd3ae1e7e49) X(0x00250e2d2071b35e) \
    X(0x226800bb57b8e0af) X(0x2464369bf009b91e) X(0x5563911d59dfa6aa) \
    X(0x78c14389d95a537f) X(0x207d5ba202e5b9c5) X(0x832603766295cfa9) \
    X(0x11c819684e734a41) X(0xb3472dca7b14a94a) X(0x1b5100529a532915) \
    X(0xd60f573fbc9bc6e4) X(0x2b60a47681e67400) X(0x08ba6fb5571be91f) \
    X(0xf296ec6b2a0dd915) X(0xb6636521e7b9f9b6) X(0xff34052ec5855664) \
    X(0x53b02d5da99f8fa1) X(0x08ba47996e85076a) X(0x4b7a70e9b5b32944) \
    X(0xdb75092ec4192623) X(0xad6ea6b049a7df7d) X(0x9cee60b88fedb266) \
    X(0xecaa8c71699a17ff) X(0x5664526cc2b19ee1) X(0x193602a575094c29) \
    X(0xa0591340e4183a3e) X(0x3f54989a5b429d65) X(0x6b8fe4d699f73fd6) \
    X(0xa1d29c07efe830f5) X(0x4d2d38e6f0255dc1) X(0x4cdd20868470eb26) \
    X(0x6382e9c6021ecc5e) X(0x09686b3f3ebaefc9) X(0x3c9718146b6a70a1) \
    X(0x687f358452a0e286) X(0xb79c5305aa500737) X(0x3e07841c7fdeae5c) \
    X(0x8e7d44ec5716f2b8) X(0xb03ada37f0500c0d) X(0xf01c1f040200b3ff) \
    X(0xae0cf51a3cb574b2) X(0x25837a58dc0921bd) X(0xd19113f97ca92ff6) \
    X(0x9432477322f54701) X(0x3ae5e58137c2dadc) X(0xc8b576349af3dda7) \
    X(0xa94461460fd0030e) X(0xecc8c73ea4751e41) X(0xe238cd993bea0e2f) \
    X(0x3280bba1183eb331) X(0x4e548b384f6db908) X(0x6f420d03f60a04bf) \
    X(0x2cb8129024977c79) X(0x5679b072bcaf89af) X(0xde9a771fd9930810) \
    X(0xb38bae12dccf3f2e) X(0x5512721f2e6b7124) X(0x501adde69f84cd87) \
    X(0x7a5847187408da17) X(0xbc9f9abce94b7d8c) X(0xec7aec3adb851dfa) \
    X(0x63094366c464c3d2) X(0xef1c18473215d908) X(0xdd433b3724c2ba16) \
    X(0x12a14d432a65c451) X(0x50940002133ae4dd) X(0x71dff89e10314e55) \
    X(0x81ac77d65f11199b) X(0x043556f1d7a3c76b) X(0x3c11183b5924a509) \
    X(0xf28fe6ed97f1fbfa) X(0x9ebabf2c1e153c6e) X(0x86e34570eae96fb1) \
    X(0x860e5e0a5a3e2ab3) X(0x771fe71c4e3d06fa) X(0x2965dcb999e71d0f) \
    X(0x803e89d65266c825) X(0x2e4cc9789c10b36a) X(0xc6150eba94e2ea78) \
    X(0xa5fc3c531e0a2df4) X(0xf2f74ea7361d2b3d) X(0x1939260f19c27960) \
    X(0x5223a708f71312b6) X(0xebadfe6eeac31f66) X(0xe3bc4595a67bc883) \
    X(0xb17f37d1018cff28) X(0xc332ddefbe6c5aa5) X(0x6558218568ab9802) \
    X(0xeecea50fdb2f953b) X(0x2aef7dad5b6e2f84) X(0x1521b62829076170) \
    X(0xecdd4775619f1510) X(0x13cca830eb61bd96) X(0x0334fe1eaa0363cf) \
    X(0xb5735c904c70a239) X(0xd59e9e0bcbaade14) X(0xeecc86bc60622ca7) \
    X(0x9cab5cabb2f3846e) X(0x648b1eaf19bdf0ca) X(0xa02369b9655abb50) \
    X(0x40685a323c2ab4b3) X(0x319ee9d5c021b8f7) X(0x9b540b19875fa099) \
    X(0x95f7997e623d7da8) X(0xf837889a97e32d77) X(0x11ed935f16681281) \
    X(0x0e358829c7e61fd6) X(0x96dedfa17858ba99) X(0x57f584a51b227263) \
    X(0x9b83c3ff1ac24696) X(0xcdb30aeb532e3054) X(0x8fd948e46dbc3128) \
    X(0x58ebf2ef34c6ffea) X(0xfe28ed61ee7c3c73) X(0x5d4a14d9e864b7e3) \
    X(0x42105d14203e13e0) X(0x45eee2b6a3aaabea) X(0xdb6c4f15facb4fd0) \
    X(0xc742f442ef6abbb5) X(0x654f3b1d41cd2105) X(0xd81e799e86854dc7) \
    X(0xe44b476a3d816250) X(0xcf62a1f25b8d2646) X(0xfc8883a0c1c7b6a3) \
    X(0x7f1524c369cb7492) X(0x47848a0b5692b285) X(0x095bbf00ad19489d) \
    X(0x1462b17423820e00) X(0x58428d2a0c55f5ea) X(0x1dadf43e233f7061) \
    X(0x3372f0928d937e41) X(0xd65fecf16c223bdb) X(0x7cde3759cbee7460) \
    X(0x4085f2a7ce77326e) X(0xa607808419f8509e) X(0xe8efd85561d99735) \
    X(0xa969a7aac50c06c2)

#endif
