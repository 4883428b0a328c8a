# Licensed under the Apache License, Version 2.0 (see the file LICENSE).
"""The package against a gateway whose address is in SPYHOP_GATEWAY; PythonTest starts it."""

import datetime
import decimal
import math
import os
import pathlib
import re
import unittest

import numpy
import pandas
import pyarrow

import spyhop

ADDRESS = os.environ["SPYHOP_GATEWAY"]
TOKEN = os.environ["SPYHOP_TOKEN"]
DOCS = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


class GatewayTest(unittest.TestCase):
    def setUp(self):
        self.connection = spyhop.connect(ADDRESS, token=TOKEN)
        self.addCleanup(self.connection.close)

    def refused(self, pattern, asking):
        with self.assertRaisesRegex(spyhop.SpyhopError, pattern) as raised:
            asking()
        self.assertEqual(1, len(str(raised.exception).splitlines()))
        self.assertNotIn("gRPC", str(raised.exception))

    def test_types(self):
        table = self.connection.query("py_types").to_arrow()
        self.assertEqual(
            {
                "rowkey": pyarrow.binary(),
                "born": pyarrow.date32(),
                "data": pyarrow.binary(),
                "name": pyarrow.string(),
                "price": pyarrow.decimal256(76, 18),
                "seen": pyarrow.timestamp("ms", tz="UTC"),
                "size": pyarrow.int64(),
                "weight": pyarrow.float64(),
            },
            {field.name: field.type for field in table.schema},
        )
        utc = datetime.timezone.utc
        self.assertEqual(
            [
                {
                    "rowkey": b"1",
                    "born": datetime.date(2020, 2, 29),
                    "data": b"\x00\xff",
                    "name": "K\u00e4se",
                    "price": decimal.Decimal("12.5"),
                    "seen": datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, utc),
                    "size": 2**40,
                    "weight": 0.25,
                },
                {
                    "rowkey": b"2",
                    "born": None,
                    "data": None,
                    "name": "none",
                    "price": None,
                    "seen": None,
                    "size": None,
                    "weight": None,
                },
            ],
            table.to_pylist(),
        )

    def test_parameters(self):
        utc = datetime.timezone.utc
        for where, value in [
            ("born = ?", datetime.date(2020, 2, 29)),
            ("data = ?", b"\x00\xff"),
            ("name = ?", "K\u00e4se"),
            ("price = ?", decimal.Decimal("12.50")),
            ("price = ?", 12.5),
            ("seen = ?", datetime.datetime(1970, 1, 1, 0, 0, 1, 500000)),
            ("seen = ?", datetime.datetime(1970, 1, 1, 0, 0, 1, 500000, utc)),
            ("size = ?", 2**40),
            ("weight = ?", 0.25),
            ("size IN (?)", [1, 2**40]),
        ]:
            with self.subTest(where=where, value=value):
                rows = self.connection.query("py_types", where, [value], ["rowkey"]).to_arrow()
                self.assertEqual([b"1"], rows["rowkey"].to_pylist())
                self.assertEqual(1, self.connection.count("py_types", where, [value]))
        named = self.connection.query("py_types", "size > :least", {"least": 7}, ["name"])
        self.assertEqual(["K\u00e4se"], named.to_pandas()["name"].tolist())
        self.refused("nan is no value", lambda: self.query_by(float("nan")))
        self.refused("cannot be a object", lambda: self.query_by(object()))

    def test_numpy(self):
        seen = numpy.datetime64("1970-01-01T00:00:01.500")
        for unit in ("ms", "us", "ns"):
            found = self.connection.query("py_types", "seen = ?", [seen.astype(f"datetime64[{unit}]")])
            self.assertEqual(1, found.to_arrow().num_rows, unit)
        day = numpy.datetime64("2020-02-29")
        sizes = pandas.Series([5, 1 << 40])
        for where, value in [
            ("born = ?", day.astype("datetime64[D]").item()),
            ("seen = ?", pandas.Timestamp("1970-01-01T00:00:01.5Z")),
            ("size IN (?)", sizes),
            ("size IN (?)", sizes.to_numpy()),
            ("size = ?", numpy.int64(1 << 40)),
            ("seen IN (?)", numpy.array([seen.astype("datetime64[ns]")])),
        ]:
            found = self.connection.query("py_types", where, [value], limit=numpy.int64(3))
            self.assertEqual(1, found.to_arrow().num_rows, where)
        for none in (numpy.timedelta64(5, "ns"), pandas.NaT, numpy.datetime64("NaT")):
            self.refused("a parameter cannot be", lambda: self.query_by(none))

    def query_by(self, value):
        return self.connection.query("py_types", "weight = ?", [value]).to_arrow()

    def test_many_rows(self):
        frame = self.connection.query("py_rows").to_pandas()
        self.assertEqual(list(range(1000)), frame["id"].tolist())
        batches = list(self.connection.query("py_rows", columns=["id"]))
        self.assertGreater(len(batches), 1)
        self.assertEqual(1000, sum(batch.num_rows for batch in batches))
        last = self.connection.query("py_rows", order_by="id", descending=True, limit=3)
        self.assertEqual(["id", "rowkey"], sorted(last.schema.names))
        self.assertEqual([999, 998, 997], last.to_pandas()["id"].tolist())
        self.assertTrue(self.connection.query("py_rows", "id < 0").to_pandas().empty)

    def test_cancelled(self):
        with self.connection.query("py_rows") as result:
            self.assertGreater(next(iter(result)).num_rows, 0)
        self.refused("the query was cancelled", result.to_arrow)
        self.assertEqual(1000, self.connection.count("py_rows"))

    def test_read_once(self):
        readings = (lambda r: r.to_arrow(), lambda r: r.to_pandas(), lambda r: list(r), lambda r: next(iter(r)))
        for first in readings:
            for second in readings:
                with self.connection.query("py_rows") as result:
                    first(result)
                    self.assertIn("id", result.schema.names)
                    self.refused("can be read once", lambda: second(result))
        with self.connection.query("py_rows", "id < 0") as result:
            self.assertEqual(0, result.to_arrow().num_rows)
            self.refused("can be read once", result.to_arrow)

    def test_explained_and_listed(self):
        self.assertIn("py_rows", self.connection.explain("py_rows", "id = 7"))
        tables = self.connection.tables()
        self.assertEqual(pyarrow.int64(), tables["py_rows"].field("id").type)

    def test_errors(self):
        ask = self.connection.query
        self.refused("^query: WHERE ", lambda: ask("py_rows", "id >").to_arrow())
        self.refused("^table 'py_rows': .*unknown column 'no'", lambda: ask("py_rows", "no = 1").to_arrow())
        self.refused("^table 'no': .*does not exist", lambda: ask("no").to_pandas())
        self.refused("^table 'no': ", lambda: list(ask("no")))
        self.refused("^table 'no': ", lambda: self.connection.count("no"))
        self.refused("within 1 ms", lambda: ask("py_rows", "id >= 0", timeout=0.0001).to_arrow())
        self.refused("a list of names", lambda: ask("py_rows", columns="id"))
        self.refused("a list or a dict", lambda: ask("py_rows", "id = ?", params="5"))
        for wrong in (math.nan, math.inf, "5", None.__class__):
            self.refused("timeout is ", lambda: ask("py_rows", timeout=wrong))
        for wrong in (1.5, True, False, numpy.bool_(True)):
            self.refused("limit is ", lambda: ask("py_rows", limit=wrong))
        self.refused("timeout is True", lambda: ask("py_rows", timeout=True))
        self.refused("ca: ", lambda: spyhop.connect("localhost:1", ca="nofile"))
        late = datetime.datetime.max.replace(tzinfo=datetime.timezone(-datetime.timedelta(hours=1)))
        self.refused("no time in UTC", lambda: self.query_by(late))
        self.refused("the query cannot be sent", lambda: ask(b"py_rows"))

    def test_connecting(self):
        self.refused("is not HOST:PORT", lambda: spyhop.connect("localhost"))
        self.refused("without TLS", lambda: spyhop.connect("example.org:1", token="x"))
        with spyhop.connect(ADDRESS) as stranger:
            self.refused("asks for a token", lambda: stranger.query("py_rows").to_arrow())
        with spyhop.connect(ADDRESS, token="wrong") as stranger:
            self.refused("does not know that token", stranger.tables)

    def test_tls(self):
        secure = os.environ["SPYHOP_TLS_GATEWAY"]
        with spyhop.connect(secure, token=TOKEN, ca=os.environ["SPYHOP_CA"]) as connection:
            self.assertEqual(1000, connection.count("py_rows"))

    def test_documentation(self):
        """Runs the scripts of the manual's page, one after the other, as a notebook does."""
        blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
        self.assertGreater(len(blocks), 2)
        names = {}
        for block in blocks:
            code = block.replace('"localhost:16050"', f'"{ADDRESS}", token="{TOKEN}"')
            exec(compile(code, str(DOCS), "exec"), names)  # pylint: disable=exec-used
        names["connection"].close()
        self.assertIsInstance(names["frame"], pandas.DataFrame)
        self.assertFalse(names["frame"].empty)


if __name__ == "__main__":
    unittest.main()
