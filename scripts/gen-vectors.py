#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Print kunit/vectors.h: test vectors of ChaCha and Salsa20.

The ciphers are written here a second time, plainly and from the papers, and
share nothing with the module.  This reference is held against every published
vector below before a line is printed; only then does it make the vectors that
nobody has published (XChaCha12 and 8, long messages, wraps of the counter).

Usage: scripts/gen-vectors.py >kunit/vectors.h
       scripts/gen-vectors.py --known-answers

The second form prints what the module's self-test at load expects (module.c).
The output depends on nothing but this file.  Deliberately absent: the random
module, third-party packages, speed.
"""

import hashlib
import struct
import sys

MASK = 0xffffffff
SIGMA = b'expand 32-byte k'
TAU = b'expand 16-byte k'


def rotl(x, n):
    """Rotate a 32-bit word left."""
    return (x << n | x >> (32 - n)) & MASK


# ------------------------------------------------------------------- ciphers

def chacha_quarter(x, a, b, c, d):
    """RFC 8439, section 2.1."""
    x[a] = (x[a] + x[b]) & MASK
    x[d] = rotl(x[d] ^ x[a], 16)
    x[c] = (x[c] + x[d]) & MASK
    x[b] = rotl(x[b] ^ x[c], 12)
    x[a] = (x[a] + x[b]) & MASK
    x[d] = rotl(x[d] ^ x[a], 8)
    x[c] = (x[c] + x[d]) & MASK
    x[b] = rotl(x[b] ^ x[c], 7)


def chacha_rounds(words, rounds):
    """RFC 8439, section 2.3, without the final addition."""
    x = list(words)
    for _ in range(rounds // 2):
        for i in range(4):
            chacha_quarter(x, i, i + 4, i + 8, i + 12)
        for i in range(4):
            chacha_quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4,
                           12 + (i + 3) % 4)
    return x


def salsa_quarter(x, a, b, c, d):
    """Salsa20 specification, section 3."""
    x[b] ^= rotl((x[a] + x[d]) & MASK, 7)
    x[c] ^= rotl((x[b] + x[a]) & MASK, 9)
    x[d] ^= rotl((x[c] + x[b]) & MASK, 13)
    x[a] ^= rotl((x[d] + x[c]) & MASK, 18)


def salsa_rounds(words, rounds):
    """Salsa20 specification, sections 4 to 6, without the final addition."""
    x = list(words)
    for _ in range(rounds // 2):
        for i in range(4):      # column i, from the diagonal downwards
            salsa_quarter(x, *[(5 * i + 4 * j) % 16 for j in range(4)])
        for i in range(4):      # row i, from the diagonal rightwards
            salsa_quarter(x, *[4 * i + (i + j) % 4 for j in range(4)])
    return x


def block(permute, words, rounds):
    """Keystream of one input block."""
    out = permute(words, rounds)
    return struct.pack('<16I', *[(a + b) & MASK for a, b in zip(out, words)])


def chacha_words(key, last16):
    """Input block: constants, key, and the last four words as given."""
    return struct.unpack('<16I', SIGMA + key + last16)


def salsa_words(key, middle16):
    """Input block; words 6 to 9 as given.  Specification, section 8."""
    const = SIGMA if len(key) == 32 else TAU
    return struct.unpack('<16I', const[:4] + key[:16] + const[4:8] + middle16 +
                         const[8:12] + key[-16:] + const[12:])


def hchacha(key, nonce16, rounds=20):
    """draft-irtf-cfrg-xchacha-03, section 2.2."""
    x = chacha_rounds(chacha_words(key, nonce16), rounds)
    return struct.pack('<8I', *(x[0:4] + x[12:16]))


def hsalsa(key, nonce16, rounds=20):
    """Extending the Salsa20 nonce, section 2."""
    x = salsa_rounds(salsa_words(key, nonce16), rounds)
    return struct.pack('<8I', *(x[0:16:5] + x[6:10]))


def chacha_stream(key, last16, size, rounds, first=0):
    """The counter is word 12 alone and wraps without a carry."""
    words = list(chacha_words(key, last16))
    counter = words[12]
    out = b''
    for i in range(first, (size + 63) // 64):
        words[12] = (counter + i) & MASK
        out += block(chacha_rounds, words, rounds)
    return out[:size - 64 * first]


def salsa_stream(key, nonce8, size, rounds, counter=0, first=0):
    """The counter is words 8 and 9, with carry."""
    out = b''
    for i in range(first, (size + 63) // 64):
        position = struct.pack('<Q', (counter + i) % 2**64)
        out += block(salsa_rounds, salsa_words(key, nonce8 + position), rounds)
    return out[:size - 64 * first]


def keystream(alg, key, iv, size, first=0):
    """Keystream of a crypto API algorithm, IV laid out as it wants it.

    It starts at block FIRST of the message and ends at byte SIZE of it.
    """
    rounds = int(''.join(c for c in alg if c.isdigit()))
    if alg.startswith('xchacha'):
        key = hchacha(key, iv[:16], rounds)
        iv = iv[24:] + iv[16:24]
    elif alg.startswith('xsalsa'):
        key = hsalsa(key, iv[:16], rounds)
        iv = iv[16:]
    if 'chacha' in alg:
        return chacha_stream(key, iv, size, rounds, first)
    return salsa_stream(key, iv, size, rounds, 0, first)


def xor(a, b):
    """XOR of two strings of the same length."""
    return bytes(x ^ y for x, y in zip(a, b))


# --------------------------------------------------------- published vectors
#
# VECTORS: algorithm, source, key, IV, offset in the stream, plaintext or None
# for zeroes, ciphertext from that offset on.

COUNT = bytes(range(32))
ZERO = '00' * 32
VECTORS = []


def h(text):
    """Bytes of hex digits, blanks ignored."""
    return bytes.fromhex(text)


def published(alg, source, key, iv, ctext, offset=0, ptext=None):
    """Note one published vector."""
    key, iv, ctext = (v if isinstance(v, bytes) else h(v)
                      for v in (key, iv, ctext))
    VECTORS.append((alg, source, key, iv, offset, ptext, ctext))


# RFC 8439, section 2.3.2 and appendix A.1: block function
for name, key, iv, ctext in (
        ('2.3.2', COUNT.hex(), '01000000 000000090000004a00000000', '''
         10f1e7e4d13b5915500fdd1fa32071c4 c7d1f4c733c068030422aa9ac3d46c4e
         d2826446079faa0914c2d705d98b02a2 b5129cd1de164eb9cbd083e8a2503c4e'''),
        ('A.1 #1', ZERO, '00' * 16, '''
         76b8e0ada0f13d90405d6ae55386bd28 bdd219b8a08ded1aa836efcc8b770dc7
         da41597c5157488d7724e03fb8d84a37 6a43b8f41518a11cc387b669b2ee6586'''),
        ('A.1 #2', ZERO, '01' + '00' * 15, '''
         9f07e7be5551387a98ba977c732d080d cb0f29a048e3656912c6533e32ee7aed
         29b721769ce64e43d57133b074d839d5 31ed1f28510afb45ace10a1f4b794d6f'''),
        ('A.1 #3', '00' * 31 + '01', '01' + '00' * 15, '''
         3aeb5224ecf849929b9d828db1ced4dd 832025e8018b8160b82284f3c949aa5a
         8eca00bbb4a73bdad192b5c42f73f2fd 4e273644c8b36125a64addeb006c13a0'''),
        ('A.1 #4', '00ff' + '00' * 30, '02' + '00' * 15, '''
         72d54dfbf12ec44b362692df94137f32 8fea8da73990265ec1bbbea1ae9af0ca
         13b25aa26cb4a648cb9b9d1be65b2c09 24a66c54d545ec1b7374f4872e99f096'''),
        ('A.1 #5', ZERO, '00' * 15 + '02', '''
         c2c64d378cd536374ae204b9ef933fcd 1a8b2288b3dfa49672ab765b54ee27c7
         8a970e0e955c14f3a88e741b97c286f7 5f8fc299e8148362fa198a39531bed6d''')):
    published('chacha20', 'RFC 8439, ' + name, key, iv, ctext)

# RFC 8439, section 2.4.2 and appendix A.2: encryption
published(
    'chacha20', 'RFC 8439, 2.4.2', COUNT, '01000000 000000000000004a00000000',
    '''6e2e359a2568f98041ba0728dd0d6981 e97e7aec1d4360c20a27afccfd9fae0b
       f91b65c5524733ab8f593dabcd62b357 1639d624e65152ab8f530c359f0861d8
       07ca0dbf500d6a6156a38e088a22b65e 52bc514d16ccf806818ce91ab7793736
       5af90bbf74a35be6b40b8eedf2785e42 874d''',
    ptext=b"Ladies and Gentlemen of the class of '99: If I could offer you "
          b"only one tip for the future, sunscreen would be it.")
published(
    'chacha20', 'RFC 8439, A.2 #2', '00' * 31 + '01',
    '01000000 000000000000000000000002',
    '''a3fbf07df3fa2fde4f376ca23e827370 41605d9f4f4f57bd8cff2c1d4b7955ec
       2a97948bd3722915c8f3d337f7d37005 0e9e96d647b7c39f56e031ca5eb6250d
       4042e02785ececfa4b4bb5e8ead0440e 20b6e8db09d881a7c6132f420e527950
       42bdfa7773d8a9051447b3291ce1411c 680465552aa6c405b7764d5e87bea85a
       d00f8449ed8f72d0d662ab052691ca66 424bc86d2df80ea41f43abf937d3259d
       c4b2d0dfb48a6c9139ddd7f76966e928 e635553ba76c5c879d7b35d49eb2e62b
       0871cdac638939e25e8a1e0ef9d5280f a8ca328b351c3c765989cbcf3daa8b6c
       cc3aaf9f3979c92b3720fc88dc95ed84 a1be059c6499b9fda236e7e818b04b0b
       c39c1e876b193bfe5569753f88128cc0 8aaa9b63d1a16f80ef2554d7189c411f
       5869ca52c5b83fa36ff216b9c1d30062 bebcfd2dc5bce0911934fda79a86f6e6
       98ced759c3ff9b6477338f3da4f9cd85 14ea9982ccafb341b2384dd902f3d1ab
       7ac61dd29c6f21ba5b862f3730e37cfd c4fd806c22f221''',
    ptext=b'Any submission to the IETF intended by the Contributor for '
          b'publication as all or part of an IETF Internet-Draft or RFC and '
          b'any statement made within the context of an IETF activity is '
          b'considered an "IETF Contribution". Such statements include oral '
          b'statements in IETF sessions, as well as written and electronic '
          b'communications made at any time or place, which are addressed to')
published(
    'chacha20', 'RFC 8439, A.2 #3',
    '1c9240a5eb55d38af333888604f6b5f0 473917c1402b80099dca5cbc207075c0',
    '2a000000 000000000000000000000002',
    '''62e6347f95ed87a45ffae7426f27a1df 5fb69110044c0d73118effa95b01e5cf
       166d3df2d721caf9b21e5fb14c616871 fd84c54f9d65b283196c7fe4f60553eb
       f39c6402c42234e32a356b3e764312a6 1a5532055716ead6962568f87d3f3f77
       04c6a8d1bcd1bf4d50d6154b6da731b1 87b58dfd728afa36757a797ac188d1''',
    ptext=b"'Twas brillig, and the slithy toves\nDid gyre and gimble in the "
          b"wabe:\nAll mimsy were the borogoves,\nAnd the mome raths "
          b"outgrabe.")

# draft-strombergson-chacha-test-vectors-01, 256-bit keys, TC7 and TC8.  Its
# counter has 64 bits, ours 32, so that the nonce's first word is zero here.
TC7 = '00112233445566778899aabbccddeeff ffeeddccbbaa99887766554433221100'
TC8 = 'c46ec1b18ce8a878725a37e780dfb735 1f68ed2e194c79fbc6aebee1a667975d'
for alg, name, ctext in (
        ('chacha20', 'TC7', '''
         87fa92061043ca5e631fedd88e8bfb84 ad6b213bdee4bc806e2764935fb89097
         218a897b7aead10e1b17f6802b2abdd9 5594903083735613d6b3531b9e0d1b67
         47908c74f018f6e182138b991b9c5a95 7c69f23c26c8a2fbb8b0acf8e64222cc
         251281a61cff673608de6490b41ca1b9 f4ab754474f9afc7c35dcd65de3d745f'''),
        ('chacha12', 'TC7', '''
         6e93f25816ed8151dbab6c9a500d562e f3ac3cfd1899708c1574b912f71b1312
         1149852170bd0f4543f0b73f9f27c363 773632e9e2aa6324f6bed87ab0d0305e
         cd9a2aa9ea93c2675e82881408de852c 62fa746a30e52b45a26962cf4351e304
         d31320bbd6aa6cc8f32637f95934e4c1 45efd56231ef3161032836f49671833e'''),
        ('chacha8', 'TC7', '''
         60fdedbd1a280cb741d0593b6ea03090 10acf18e1471f68968f4c9e311dca149
         b8e027b47c81e0353db013891aa5f68e a3b13dd2f3b8dd0873bf3746e7d6c567
         fe882395601ce8aded444867fe62ed87 41420002e5d28bb573113a418c1f4008
         e954c188f38ec4f26bb8555e2b7c92bf 4380e2ea9e553187fdd42821794416de'''),
        ('chacha20', 'TC8', '''
         f63a89b75c2271f9368816542ba52f06 ed49241792302b00b5e8f80ae9a473af
         c25b218f519af0fdd406362e8d69de7f 54c604a6e00f353f110f771bdca8ab92
         e5fbc34e60a1d9a9db17345b0a402736 853bf910b060bdf1f897b6290f01d138
         ae2c4c90225ba9ea14d518f55929dea0 98ca7a6ccfe61227053c84e49a4a3332'''),
        ('chacha12', 'TC8', '''
         1482072784bc6d06b4e73bdc118bc010 3c7976786ca918e06986aa251f7e9cc1
         b2749a0a16ee83b4242d2e99b08d7c20 092b80bc466c87283b61b1b39d0ffbab
         d94b116bc1ebdb329b9e4f620db69554 4a8e3d9b68473d0c975a46ad966ed631
         e42aff530ad5eac7d8047adfa1e5113c 91f3e3b883f1d189ac1c8fe07ba5a42b'''),
        ('chacha8', 'TC8', '''
         838751b42d8ddd8a3d77f48825a2ba75 2cf4047cb308a5978ef274973be374c9
         6ad848065871417b08f034e681fe46a9 3f7d5c61d1306614d4aaf257a7cff08b
         16f2fda170cc18a4b58a2667ed962774 af792a6e7f3c77992540711a7a136d7e
         8a2f8d3f93816709d45a3fa5f8ce72fd e15be7b841acba3a2abd557228d9fe4f''')):
    key, iv = (TC7, '0f1e2d3c4b596877') if name == 'TC7' else (
        TC8, '1ada31d5cf688221')
    published(alg, 'draft-strombergson-chacha-test-vectors-01, ' + name, key,
              '00' * 8 + iv, ctext)

# draft-irtf-cfrg-xchacha-03, appendix A.3.2
DHOLE = (b'The dhole (pronounced "dole") is also known as the Asiatic wild '
         b'dog, red dog, and whistling dog. It is about the size of a German '
         b'shepherd but looks more like a long-legged fox. This highly '
         b'elusive and skilled jumper is classified with wolves, coyotes, '
         b'jackals, and foxes in the taxonomic family Canidae.')
XKEY = bytes(range(0x80, 0xa0))
XNONCE = '404142434445464748494a4b4c4d4e4f5051525354555658'
published(
    'xchacha20', 'draft-irtf-cfrg-xchacha-03, A.3.2.1', XKEY,
    XNONCE + '00' * 8,
    '''4559abba4e48c16102e8bb2c05e6947f 50a786de162f9b0b7e592a9b53d0d4e9
       8d8d6410d540a1a6375b26d80dace4fa b52384c731acbf16a5923c0c48d3575d
       4d0d2c673b666faa731061277701093a 6bf7a158a8864292a41c48e3a9b4c0da
       ece0f8d98d0d7e05b37a307bbb663331 64ec9e1b24ea0d6c3ffddcec4f68e744
       3056193a03c810e11344ca06d8ed8a2b fb1e8d48cfa6bc0eb4e2464b74814240
       7c9f431aee769960e15ba8b96890466e f2457599852385c661f752ce20f9da0c
       09ab6b19df74e76a95967446f8d0fd41 5e7bee2a12a114c20eb5292ae7a349ae
       577820d5520a1f3fb62a17ce6a7e68fa 7c79111d8860920bc048ef43fe84486c
       cb87c25f0ae045f0cce1e7989a9aa220 a28bdd4827e751a24a6d5c62d790a663
       93b93111c1a55dd7421a10184974c7c5''', ptext=DHOLE)
published(
    'xchacha20', 'draft-irtf-cfrg-xchacha-03, A.3.2.2', XKEY,
    XNONCE + '01' + '00' * 7,
    '''7d0a2e6b7f7c65a236542630294e063b 7ab9b555a5d5149aa21e4ae1e4fbce87
       ecc8e08a8b5e350abe622b2ffa617b20 2cfad72032a3037e76ffdcdc4376ee05
       3a190d7e46ca1de04144850381b9cb29 f051915386b8a710b8ac4d027b8b050f
       7cba5854e028d564e453b8a968824173 fc16488b8970cac828f11ae53cabd201
       12f87107df24ee6183d2274fe4c8b148 5534ef2c5fbc1ec24bfc3663efaa08bc
       047d29d25043532db8391a8a3d776bf4 372a6955827ccb0cdd4af403a7ce4c63
       d595c75a43e045f0cce1f29c8b93bd65 afc5974922f214a40b7c402cdb91ae73
       c0b63615cdad0480680f16515a7ace9d 39236464328a37743ffc28f4ddb324f4
       d0f5bbdc270c65b1749a6efff1fbaa09 536175ccd29fb9e6057b307320d31683
       8a9c71f70b5b5907a66f7ea49aadc409''', ptext=DHOLE)

# ECRYPT/eSTREAM, Salsa20, verified.test-vectors of the 20-, 12- and 8-round
# cipher: set, vector, key, IV, then the stream at some offsets.
BIT0 = '80' + '00' * 15
ECRYPT = (
    ('salsa20', '128-bit key, set 1, vector 0', BIT0, '00' * 8, {
        0: '''4dfa5e481da23ea09a31022050859936 da52fcee218005164f267cb65f5cfd7f
              2b4f97e0ff16924a52df269515110a07 f9e460bc65ef95da58f740b7d1dbb0aa
              ''',
        192: '''da9c1581f429e0a00f7d67e23b730676
                783b262e8eb43a25f55fb90b3e753aef
                8c6713ec66c51881111593ccb3e8cb8f
                8de124080501eeeb389c4bcb6977cf95
                7d5789631eb4554400e1e025935dfa7b
                3e9039d61bdc58a8697d36815bf1985c
                efdf7ae112e5bb81e37ecf0616ce7147
                fc08a93a367e08631f23c03b00a8da2f''',
        448: '''b375703739daced4dd4059fd71c3c47f
                c2f9939670fad4a46066adcc6a564578
                3308b90ffb72be04a6b147cbe38cc0c3
                b9267c296a92a7c69873f9f263be9703'''}),
    ('salsa20', '128-bit key, set 1, vector 9', '0040' + '00' * 14, '00' * 8, {
        0: '''0471076057830fb99202291177fbfe5d 38c888944df8917cab82788b91b53d1c
              fb06d07a304b18bb763f888a61bb6b75 5cd58bec9c4cfb7569cb91862e79c459
              ''',
        192: '''d1d7e97556426e6cfc21312ae3811425
                9e5a6fb10dacbd88e4354b0472556935
                2b6da5acafacd5e266f9575c2ed8e6f2
                efe4b4d36114c3a623dd49f4794f865b
                af06faa82c73291231e1bd916a773de1
                52fd2126c40a10c3a6eb40f22834b8cc
                68bd5c6dbd7fc1ec8f34165c517c0b63
                9db0c60506d3606906b8463aa0d0ec2f''',
        448: '''ab3216f1216379efd5ec589510b8fd35
                014d0aa0b613040bae63ecab90a9af79
                661f8da2f853a5204b0f8e72e9d9eb4d
                ba5a4690e73a4d25f61ee7295215140c'''}),
    ('salsa12', '128-bit key, set 1, vector 0', BIT0, '00' * 8, {
        0: '''fc207dbfc76c5e1774961e7a5aad0906 9b2225ac1ce0fe7a0ce77003e7e5bdf8
              b31af821000813e6c56b8c1771d6ee70 39b2fbd0a68e8ad70a3944b677937897
              ''',
        192: '''4b62a4881fa1af9560586510d5527ed4
                8a51ecafa4deceebbddc10e9918d44ab
                26b10c0a31ed242f146c72940c6e9c37
                53f641da84e9f68b4f9e76b6c48ca5ac
                f52383d9defb20810325f7aec9eade34
                d9d883fee37e05f74bf40875b2d0be79
                ed8886e5bff556cea8d1d9e86b1f68a9
                64598c34f177f8163e271b8d2feb5996''',
        448: '''a52ed8c37014b10ec0aa8e05b5ceee12
                3a1017557fb3b15c53e6c5ea8300bf74
                264a73b5315dc821ad2cab0f3bb2f152
                bdaea3aee97ba04b8e72a7b40dcc6ba4'''}),
    ('salsa8', '128-bit key, set 1, vector 0', BIT0, '00' * 8, {
        0: '''a9c9f888ab552a2d1bbff9f36bebeb33 7a8b4b107c75b63bae26cb9a235bba9d
              784f38befc3adf4cd3e266687ea7b9f0 9ba650ae81eac6063ae31ff12218ddc5
              ''',
        192: '''bb5b6bb2cc8b8a0222dccc1753ed4aeb
                23377accbd5d4c0b69a8a03bb115ef71
                871bc10559080aca7c68f0def32a80dd
                baf497259bb76a3853a7183b51cc4b9f
                4436cdc0be39559f5e5a6b79fbdb2cae
                4782910f27ffc2391e05cfc78d601ad8
                cd7d87b074169361d997d1bed9729c0d
                eb23418e0646b7997c06aa84e7640ce3''',
        448: '''bee85903bea506b05fc04795836faaac
                7f93f785d473eb762576d96b4a65ffe4
                63b34aae696777fc6351b67c3753b89b
                a6b197bd655d1d9ca86e067f4d770220'''}),
    ('salsa12', '256-bit key, set 1, vector 0', BIT0 + '00' * 16, '00' * 8, {
        0: '''afe411ed1c4e07e4d0cde3b33e31ec19 0fa4cc796a58bafb848ead8d07d02cd2
              d4b6f9f30cb0b57007e3733895cc8d10 60107975acaeeb689b6cf614ab64a3d6
              '''}),
    ('salsa20', '256-bit key, set 3, vector 243',
     'f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112',
     '00' * 8, {
         0: '''b4c0afa503be7fc29a62058166d56f8f
               5d27dc246f75b9ad8760c8c39dfd8749
               2d3b76d5d9637f009eada14458a52dfb
               09815337e72672681dddc24633750d83''',
         192: '''dbba0683df48c335a9802eef02522563
                 54c9f763c3fde19131a6bb7b85040624
                 b1d6cd4bf66d16f7482236c8602a6d58
                 505eedcca0b77aed574ab583115124b9
                 f0c5f98bae05e019764ef6b65e0694a9
                 04cb9ec9c10c297b1ab1a6052365bb78
                 e55d3c6cb9f06184ba7d425a92e7e987
                 757fc5d9afd7082418dd64125ca6f2b6''',
         448: '''5a5fb5c8f0afea471f0318a4a2792f7a
                 a5c67b6d6e0f0ddb79961c34e3a564ba
                 2eece78d9aff45e510feab1030b102d3
                 9dfcecb77f5798f7d2793c0ab09c7a04'''}),
    ('salsa20', '256-bit key, set 6, vector 0',
     '0053a6f94c9ff24598eb3e91e4378add3083d6297ccf2275c81b6ec11467ba0d',
     '0d74db42a91077de', {
         0: '''f5fad53f79f9df58c4aea0d0ed9a9601
               f278112ca7180d565b420a48019670ea
               f24ce493a86263f677b46ace1924773d
               2bb25571e1aa8593758fc382b1280b71''',
         65472: '''b70c50139c63332ef6e77ac54338a407
                   9b82bec9f9a403dfea821b83f7860791
                   650ef1b2489d0590b1de772eeda4e3bc
                   d60fa7ce9cd623d9d2fd5758b8653e70
                   81582c65d7562b80aec2f1a673a9d01c
                   9f892a23d4919f6ab47b9154e08e699b
                   4117d7c666477b60f8391481682f5d95
                   d96623dbc489d88daa6956b9f0646b6e'''}),
    ('salsa20', '256-bit key, set 6, vector 1',
     '0558abfe51a4f74a9df04396e93c8fe23588db2e81d4277acd2073c6196cbf12',
     '167de44bb21980e7', {
         0: '''3944f6dc9f85b128083879fdf190f7de
               e4053a07bc09896d51d0690bd4da4ac1
               062f1e47d3d0716f80a9b4d85e6d6085
               ee06947601c85f1a27a2f76e45a6aa87''',
         65472: '''36e03b4b54b0b2e04d069e690082c8c5
                   92df56e633f5d8c7682a02a65ecd1371
                   8ca4352aaccb0da20ed6bbba62e177f2
                   10e3560e63bb822c4158caa806a88c82
                   1b779e7a917c8c26039ffb23cf0ef8e0
                   8a1a13b43acdd9402cf5df38501098df
                   c945a6cc69a6a17367bc03431a86b3ed
                   04b0245b56379bf997e25800ad837d7d'''}))
for alg, name, key, iv, stream in ECRYPT:
    for offset, ctext in stream.items():
        published(alg, 'ECRYPT, ' + name, key, iv, ctext, offset)

# Cryptography in NaCl, section 9, and its tests (stream, box), as Crypto++
# has them in TestVectors/salsa.txt
published(
    'xsalsa20', 'Cryptography in NaCl, stream',
    '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
    '69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37',
    '''eea6a7251c1e72916d11c2cb214d3c25 2539121d8e234e652d651fa4c8cff880
       309e645a74e9e0a60d8243acd9177ab5 1a1beb8d5a2f5d700c093c5e55855796
       25337bd3ab619d615760d8c5b224a85b 1d0efe0eb8a7ee163abb0376529fcc09
       bab506c618e13ce777d82c3ae9d1a6f9 72d4160287cbfe60bf2130fc0a6ff604
       9d0a5c8a82f429231f0080''')
published(
    'xsalsa20', 'Crypto++, made with NaCl 20090308',
    'd5c7f6797b7e7e9c1d7fd2610b2abf2bc5a7885fb3ff78092fb3abe8986d35e2',
    '744e17312b27969d826444640e9c4a378ae334f185369c95',
    '''27b8cfe81416a76301fd1eec6a4d9967 5069b2da2776c360db1bdfea7c0aa613
       913e10f7a60fec04d11e65f2d64e''',
    ptext=h('''7758298c628eb3a4b6963c5445ef6697 1222be5d1a4ad839715d1188071739b7
               7cc6e05d5410f963a64167629757'''))

# draft-irtf-cfrg-xchacha-03, section 2.2.1
HCHACHA = (COUNT, '000000090000004a0000000031415927',
           '82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc')
# Cryptography in NaCl, section 8
HSALSA = (
    ('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742',
     '00' * 16,
     '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389'),
    ('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
     '69696ee955b62b73cd62bda875fc73d6',
     'dc908dda0b9344a953629b733820778880f3ceb421bb61b91cbd4c3e66256ce4'))

# RFC 7914, sections 8 and 9
SALSA8_IN = h('''7e879a214f3ec9867ca940e641718f26
                 baee555b8c61c1b50df846116dcd3b1d
                 ee24f319df9b3d8514121e4b5ac5aa32
                 76021d2909c74829edebc68db8b8c25e''')
SALSA8_OUT = h('''a41f859c6608cc993b81cacb020cef05
                  044b2181a2fd337dfd7b1c6396682f29
                  b4393168e3c9e6bcfe6bc5b7a06d96ba
                  e424cc102c91745c24ad673dc7618f81''')
BLOCKMIX_IN = h('''f7ce0b653d2d72a4108cf5abe912ffdd
                   777616dbbb27a70e8204f3ae2d0f6fad
                   89f68f4811d1e87bcc3bd7400a9ffd29
                   094f0184639574f39ae5a1315217bcd7
                   894991447213bb226c25b54da86370fb
                   cd984380374666bb8ffcb5bf40c254b0
                   67d27c51ce4ad5fed829c90b505a571b
                   7f4d1cad6a523cda770e67bceaaf7e89''')
BLOCKMIX_OUT = SALSA8_OUT + h('''20edc975323881a80540f64c162dcd3c
                                 21077cfe5f8d5fe2b1a4168f953678b7
                                 7d3b3d803b60e4ab920996e59b4d53b6
                                 5d2a225877d5edf5842cb9f14eefe425''')

# Key 00..1f, zeroes: in block 15, counted from zero, the word at OFFSET is zero
# after the final addition, so that a 64-bit sum has carried into the next one.
CARRIES = [
    ('chacha20', '00' * 8 + '159128a200000000', 48, '00000000ed2fe124'),
    ('chacha8', '00' * 8 + '58afd51200000000', 48, '00000000d8c034a1'),
    ('xchacha20', '00' * 16 + '4a530a6801000000' + '00' * 8, 48,
     '00000000e5efe325'),
    ('salsa20', '2a0ec8dc00000000', 32, '00000000052f329e'),
    ('salsa12', '5c94cb0701000000', 32, '0000000067bec1bf')]

# More of the kind, found by trying all nonces from 0 on
CARRIES_FOUND = (
    ('chacha12', '00' * 8 + '5e96e67400000000', 48),
    ('xchacha12', '00' * 16 + '9fb5b06a01000000' + '00' * 8, 48),
    ('xchacha8', '00' * 16 + '505bcc3e01000000' + '00' * 8, 48),
    ('salsa8', '8d4b696601000000', 32),
    ('xsalsa20', '00' * 16 + 'f87bb3dc00000000', 32))

# Key 00..1f, nonce zero, 256 bytes from block 0xfffffffe on, SHA-256 of them
WRAPS = (('chacha20', '73b6d9572a6811a2370bdd4a96c2252c'),
         ('salsa20', '2a7ca9753cbafebc839156004652c041'))


def check(what, got, want):
    """Stop on a difference between the reference and a publication."""
    if got != want:
        sys.exit(f'gen-vectors.py: {what}: {got.hex()}, not {want.hex()}')


def salsa8_core(data):
    """RFC 7914, section 3."""
    return block(salsa_rounds, struct.unpack('<16I', data), 8)


def blockmix(data):
    """RFC 7914, section 4, r = 1."""
    y0 = salsa8_core(xor(data[64:], data[:64]))
    return y0 + salsa8_core(xor(y0, data[64:]))


def wrap_stream(alg):
    """256 bytes across the wrap of the low counter word."""
    if alg == 'chacha20':
        return keystream(alg, COUNT, struct.pack('<I12x', 0xfffffffe), 256)
    return salsa_stream(COUNT, bytes(8), 256, 20, 0xfffffffe)


def self_check():
    """Hold the reference against everything that is published above."""
    for alg, source, key, iv, offset, ptext, ctext in VECTORS:
        first = offset // 64
        stream = keystream(alg, key, iv, offset + len(ctext), first)
        check(f'{alg}, {source}',
              xor(ptext or bytes(len(ctext)), stream[offset - 64 * first:]),
              ctext)
    key, nonce, subkey = HCHACHA
    check('HChaCha20', hchacha(key, h(nonce)), h(subkey))
    for key, nonce, subkey in HSALSA:
        check('HSalsa20', hsalsa(h(key), h(nonce)), h(subkey))
    check('Salsa20/8 core', salsa8_core(SALSA8_IN), SALSA8_OUT)
    check('scryptBlockMix', blockmix(BLOCKMIX_IN), BLOCKMIX_OUT)
    for alg, iv, offset, want in CARRIES:
        stream = keystream(alg, COUNT, h(iv), 1024, 15)
        check(f'{alg}, carry', stream[offset:offset + 8], h(want))
    for alg, digest in WRAPS:
        check(f'{alg}, wrap', hashlib.sha256(wrap_stream(alg)).digest()[:16],
              h(digest))


# ---------------------------------------------------------- computed vectors

ALGS = ('chacha20', 'chacha12', 'chacha8', 'xchacha20', 'xchacha12',
        'xchacha8', 'salsa20', 'salsa12', 'salsa8', 'xsalsa20')


def ivsize(alg):
    """As the crypto API has it."""
    size = {'x': 24, 'c': 16, 's': 8}[alg[0]]
    return size + 8 if alg.startswith('xchacha') else size


def seeded(label, size):
    """Bytes from a label, all different."""
    out = b''
    i = 0
    while len(out) < size:
        digest = hashlib.sha256(f'{label} {i}'.encode()).digest()
        out += bytes(b for j, b in enumerate(digest)
                     if b not in out and b not in digest[:j])
        i += 1
    return out[:size]


def message(size):
    """The text of the long vectors; kunit/ makes the same one."""
    return bytes((i * 7 + (i >> 8)) & 0xff for i in range(size))


def computed():
    """Vectors for every algorithm with all bytes of key and IV different."""
    for alg in ALGS:
        for keysize in (16, 32) if alg.startswith('salsa') else (32,):
            key = seeded(f'{alg} key {keysize}', keysize)
            iv = seeded(f'{alg} iv', ivsize(alg))
            yield (alg, f'computed, {8 * keysize}-bit key', key, iv, 0, None,
                   keystream(alg, key, iv, 200))
    # HChaCha20's and HSalsa20's published subkeys, seen through the ciphers
    key, nonce, subkey = HCHACHA
    stream = keystream('chacha20', h(subkey), COUNT[:16], 128)
    yield ('xchacha20', 'subkey of draft-irtf-cfrg-xchacha-03, 2.2.1', key,
           h(nonce) + COUNT[8:16] + COUNT[:8], 0, None, stream)
    for key, nonce, subkey in HSALSA:
        stream = keystream('salsa20', h(subkey), COUNT[:8], 128)
        yield ('xsalsa20', 'subkey of Cryptography in NaCl, section 8', h(key),
               h(nonce) + COUNT[:8], 0, None, stream)


def digests():
    """Long messages by their SHA-256; ChaCha's counter wraps in them."""
    for alg in ALGS:
        key = seeded(f'{alg} long key', 32)
        iv = bytearray(seeded(f'{alg} long iv', ivsize(alg)))
        if 'chacha' in alg:
            at = 24 if alg[0] == 'x' else 0
            iv[at:at + 4] = struct.pack('<I', 0xffffff80)
        text = message(20001)
        ctext = xor(text, keystream(alg, key, bytes(iv), len(text)))
        yield alg, key, bytes(iv), len(text), hashlib.sha256(ctext).digest()


def tails():
    """SHA-256 over the outputs of all lengths 0..300, one after the other."""
    for alg in ALGS:
        key = seeded(f'{alg} tail key', 32)
        iv = seeded(f'{alg} tail iv', ivsize(alg))
        ctext = xor(message(300), keystream(alg, key, iv, 300))
        digest = hashlib.sha256()
        for size in range(301):
            digest.update(ctext[:size])
        yield alg, key, iv, 300, digest.digest()


def known_answers():
    """64-bit FNV-1a of the keystream that module.c asks every driver for:
    messages of these lengths, each of which starts on a block of its own."""
    sizes = (64, 100, 128, 256, 300, 512, 704, 900, 1024, 1536, 1983, 2048,
             4096, 1023, 2000)
    blocks = sum((size + 63) // 64 for size in sizes)
    for alg in ALGS:
        digest, at = 0xcbf29ce484222325, 0
        iv = bytes(range(1, ivsize(alg) + 1))
        stream = keystream(alg, COUNT, iv, 64 * blocks)
        for size in sizes:
            for byte in stream[at:at + size]:
                digest = (digest ^ byte) * 0x100000001b3 % 2**64
            at += (size + 63) // 64 * 64
        yield alg, digest


# -------------------------------------------------------------------- output

def literal(data):
    """C string of some bytes, sixteen a line."""
    if data is None:
        return 'NULL'
    lines = [''.join(f'\\x{b:02x}' for b in data[i:i + 16])
             for i in range(0, len(data), 16)]
    return '\n\t\t\t'.join(f'"{line}"' for line in lines)


def field(name, value):
    """One initialiser."""
    return f'\t\t.{name} = {value},\n'


def put_vectors(out):
    """The table of all short vectors."""
    out.append('static const struct stream_vector stream_vectors[] = {\n')
    for alg, source, key, iv, offset, ptext, ctext in (
            VECTORS + list(computed())):
        out.append('\t{\n' + field('alg', f'"{alg}"') +
                   field('source', f'"{source}"') +
                   field('key', literal(key)) + field('keylen', len(key)) +
                   field('iv', literal(iv)))
        if offset:
            out.append(field('offset', offset))
        if ptext:
            out.append(field('ptext', literal(ptext)))
        out.append(field('ctext', literal(ctext)) +
                   field('len', len(ctext)) + '\t},\n')
    out.append('};\n\n')


def put_digests(out, name, rows):
    """A table of messages that are known by a digest."""
    out.append(f'static const struct stream_digest {name}[] = {{\n')
    for alg, key, iv, size, digest in rows:
        out.append('\t{\n' + field('alg', f'"{alg}"') +
                   field('key', literal(key)) + field('iv', literal(iv)) +
                   field('len', size) + field('sha256', literal(digest)) +
                   '\t},\n')
    out.append('};\n\n')


def carries():
    """Both tables of carries; the second one's words are made here."""
    yield from CARRIES
    for alg, iv, offset in CARRIES_FOUND:
        got = keystream(alg, COUNT, h(iv), 1024, 15)[offset:offset + 8]
        check(f'{alg}, carry', got[:4], bytes(4))
        yield alg, iv, offset, got.hex()


def put_rest(out):
    """Carries, wraps and RFC 7914."""
    out.append('static const struct stream_carry stream_carries[] = {\n')
    for alg, iv, offset, want in carries():
        out.append('\t{\n' + field('alg', f'"{alg}"') +
                   field('iv', literal(h(iv))) + field('offset', offset) +
                   field('want', literal(h(want))) + '\t},\n')
    out.append('};\n\n')
    for alg, _ in WRAPS:
        out.append(f'static const u8 {alg}_wrap_sha256[] =\n\t\t\t' + literal(
            hashlib.sha256(wrap_stream(alg)).digest()) + ';\n')
    for name, data in (('salsa8_core_in', SALSA8_IN),
                       ('salsa8_core_out', SALSA8_OUT),
                       ('blockmix_in', BLOCKMIX_IN),
                       ('blockmix_out', BLOCKMIX_OUT)):
        out.append(f'static const u8 {name}[] =\n\t\t\t{literal(data)};\n')


HEAD = '''/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test vectors of ChaCha and Salsa20, printed by scripts/gen-vectors.py.
 *
 * Deliberately absent: anything written by hand.  The script names the source
 * of each vector and checks itself against all that are published.
 */
#ifndef STREAM_VECTORS_H
#define STREAM_VECTORS_H

#include "stream_test.h"

'''


def main():
    """Check, then print."""
    self_check()
    if sys.argv[1:] == ['--known-answers']:
        for alg, digest in known_answers():
            print(f'{alg:9} 0x{digest:016x}')
        return
    if sys.argv[1:]:
        sys.exit('usage: gen-vectors.py [--known-answers]')
    out = [HEAD]
    put_vectors(out)
    put_digests(out, 'stream_long_digests', digests())
    put_digests(out, 'stream_tail_digests', tails())
    put_rest(out)
    out.append('\n#endif /* STREAM_VECTORS_H */\n')
    sys.stdout.write(''.join(out))


if __name__ == '__main__':
    main()
