#!/usr/bin/env python3
"""Writes the files of clouds/ for the tests of the readers, byte by byte, without the project's own writers.

Every format gets the same six points, with an intensity of 10 times their number where the format has one. LAS gets
six other points, in whole centimetres. The NPY files are byte for byte those of numpy.save (1.24).
"""
import math
import pathlib
import struct

folder = pathlib.Path(__file__).resolve().parent / "clouds"
points = [(1.5, -2.25, 0.125), (0.1, 0.2, 0.3), (math.nan, math.inf, -math.inf), (1e10, -3.5e-7, 42.0),
          (-0.0, 7.0, 1 / 3), (1.5, -2.25, 0.125)]
intensities = [10 * i for i in range(len(points))]
surveyed = [(500000.01 + i, 5400000.25 - 2 * i, 250.5 + i / 4) for i in range(6)]


def as_float(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def text(value):
    return repr(as_float(value)) if math.isfinite(value) else str(value)


def pack_lzf(data):
    """Packs into runs and copies; tries all copies to find the longest."""
    packed, run, at = b"", b"", 0
    while at < len(data):
        length, distance = 0, 0
        for back in range(1, min(at, 8192) + 1):
            n = 0
            while n < 264 and at + n < len(data) and data[at + n] == data[at - back + n]:
                n += 1
            if n > length:
                length, distance = n, back
        if length < 3:
            run += data[at:at + 1]
            at += 1
        if run and (length >= 3 or at == len(data) or len(run) == 32):
            packed += bytes([len(run) - 1]) + run
            run = b""
        if length >= 3:
            high, low, extra = (distance - 1) >> 8, (distance - 1) & 255, length - 2
            packed += bytes([extra << 5 | high, low] if extra < 7 else [7 << 5 | high, extra - 7, low])
            at += length
    return packed


def pcd():
    header = ("# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS x y z _ intensity\nSIZE 4 4 4 1 2\n"
              "TYPE F F F U U\nCOUNT 1 1 1 4 1\nWIDTH 3\nHEIGHT 2\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 6\nDATA %s\n")
    lines = [" ".join(map(text, p)) + f" 0 0 0 0 {i}" for p, i in zip(points, intensities)]
    (folder / "six_ascii.pcd").write_text(header % "ascii" + "\n".join(lines) + "\n")
    (folder / "six_ascii_crlf.pcd").write_bytes((header % "ascii" + "\n".join(lines)).replace("\n", "\r\n").encode())
    records = b"".join(struct.pack("<fff4xH", *p, i) for p, i in zip(points, intensities))
    (folder / "six_binary.pcd").write_bytes((header % "binary").encode() + records)
    planes = b"".join(struct.pack("<6f", *(p[axis] for p in points)) for axis in range(3))
    planes += bytes(24) + struct.pack("<6H", *intensities)
    packed = pack_lzf(planes)
    (folder / "six_packed.pcd").write_bytes((header % "binary_compressed").encode() +
                                            struct.pack("<II", len(packed), len(planes)) + packed)


def ply():
    header = ("ply\nformat %s 1.0\ncomment six points\nelement camera 1\nproperty list uchar int path\n"
              "element vertex 6\nproperty float x\nproperty float y\nproperty float z\nproperty ushort intensity\n"
              "element face 1\nproperty list uchar int vertex_indices\nend_header\n")
    lines = ["2 -1 300000"] + [" ".join(map(text, p)) + f" {i}" for p, i in zip(points, intensities)] + ["3 0 1 2"]
    (folder / "six_ascii.ply").write_text(header % "ascii" + "\n".join(lines) + "\n")
    for name, order in ("little", "<"), ("big", ">"):
        body = struct.pack(order + "Bii", 2, -1, 300000)
        body += b"".join(struct.pack(order + "fffH", *p, i) for p, i in zip(points, intensities))
        body += struct.pack(order + "Biii", 3, 0, 1, 2)
        (folder / f"six_{name}.ply").write_bytes((header % f"binary_{name}_endian").encode() + body)
    # A list among the properties of the vertices.
    header = ("ply\nformat binary_big_endian 1.0\nelement vertex 6\nproperty double x\nproperty list uchar short seen_by\n"
              "property double y\nproperty double z\nproperty uint8 intensity\nend_header\n")
    body = b"".join(struct.pack(">dB%dhddB" % (i % 3), as_float(p[0]), i % 3, *range(i % 3), as_float(p[1]),
                                as_float(p[2]), k) for i, (p, k) in enumerate(zip(points, intensities)))
    (folder / "six_lists.ply").write_bytes(header.encode() + body)


def arrays():
    rows = [(*p, i) for p, i in zip(points, intensities)]
    (folder / "six.bin").write_bytes(b"".join(struct.pack("<ffff", *r) for r in rows))
    for name, kind, order, is_by_column in (("f4", "<f4", "<f", False), ("f8", "<f8", "<d", False),
                                            ("big", ">f8", ">d", False), ("by_column", "<f4", "<f", True)):
        values = [[as_float(v) for v in r] for r in rows]
        if is_by_column:
            values = list(zip(*values))
        header = f"{{'descr': '{kind}', 'fortran_order': {is_by_column}, 'shape': (6, 4), }}"
        header = header.ljust(117) + "\n"
        body = b"".join(struct.pack(order, v) for row in values for v in row)
        (folder / f"six_{name}.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) +
                                                 header.encode() + body)


def texts():
    for name, part in ("comma", ","), ("semicolon", "; "), ("tab", "\t"), ("blank", "   "):
        lines = [part.join([*map(text, p), str(i)]) for p, i in zip(points, intensities)]
        (folder / f"six_{name}.xyz").write_text("# a comment\n" + "\n".join(lines) + "\n\n")
    lines = [",".join([str(i), "car", *map(text, reversed(p))]) for p, i in zip(points, intensities)]
    (folder / "six_named.csv").write_text('"intensity",class,Z,Y,X\r\n' + "\r\n".join(lines))


def las():
    sizes = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67]
    for kind, minor in (0, 2), (1, 2), (2, 2), (3, 3), (4, 3), (5, 3), (6, 4), (7, 4), (8, 4), (9, 4), (10, 4):
        header_size, body = {2: 227, 3: 235, 4: 375}[minor], 400
        size = sizes[kind] + (3 if kind == 3 else 0)  # extra bytes after each point
        header = bytearray(body)
        header[0:4] = b"LASF"
        header[24:26] = bytes([1, minor])
        struct.pack_into("<HIIBHI", header, 94, header_size, body, 0, kind, size, 0 if kind > 5 else 6)
        struct.pack_into("<6d", header, 131, 0.01, 0.01, 0.01, 500000, 5400000, 0)
        if minor == 4:
            struct.pack_into("<Q", header, 247, 6)
        records = b""
        for i, p in enumerate(surveyed):
            record = bytearray(size)
            struct.pack_into("<iiiH", record, 0, round((p[0] - 500000) * 100), round((p[1] - 5400000) * 100),
                             round(p[2] * 100), intensities[i])
            if kind < 6:
                record[15] = 0x80 | (2 + i)
                if kind in (1, 3, 4, 5):
                    struct.pack_into("<d", record, 20, 1e5 + i / 8)
                if kind in (2, 3, 5):
                    struct.pack_into("<HHH", record, 20 if kind == 2 else 28, i, 256 * i, 65535 - i)
            else:
                record[16] = 60 + i
                struct.pack_into("<d", record, 22, 1e5 + i / 8)
                if kind in (7, 8, 10):
                    struct.pack_into("<HHH", record, 30, i, 256 * i, 65535 - i)
            records += record
        (folder / f"six_format_{kind}.las").write_bytes(bytes(header) + records)


folder.mkdir(exist_ok=True)
pcd()
ply()
arrays()
texts()
las()
