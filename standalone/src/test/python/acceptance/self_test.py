"""Checks the reference itself by the examples of logblock/SPEC.md and docs/use/records.md."""

import unittest

from acceptance.analyzer import tokens
from acceptance.decoding import Table, event_time, parse
from acceptance.matching import compile_keyword, compile_text
from acceptance.names import parquet_name, schema_name
from acceptance.rows import TableHash


class Reference(unittest.TestCase):
    def test_tokens_of_the_specification(self):
        for text, expected in (
            ("GET /api/v1/users?id=10 HTTP/1.1", "get api v1 users id 10 http 1 1"),
            ("user_id=Größe", "user id größe"),
            ("北京 timeout", "北 京 timeout"),
            ("e\u0301", "e\u0301"),
        ):
            self.assertEqual(expected.split(), tokens(text))

    def test_only_the_first_256_code_points_of_a_token_count(self):
        self.assertEqual(["𐐨" * 256, "b"], tokens("𐐀" * 300 + " b"))

    def test_queries(self):
        value = tokens("connection to 10.0.0.1 refused by user_id=7")
        for query in (
            "refused",
            "CONN*",
            '"to 10"',
            "10.0.0.1",
            "user_id",
            '"refused b*"',
            "nope OR to by",
            "to NOT nope",
            "(nope OR to) NOT (nope nope)",
        ):
            self.assertTrue(compile_text(query)(value), query)
        for query in ("ref", '"to refused"', "10.0.1", "user_i", "to NOT refused", "nope OR (to nope)", "userid"):
            self.assertFalse(compile_text(query)(value), query)
        self.assertTrue(compile_keyword('"two words"')("Two Words"))
        self.assertFalse(compile_keyword("two")("Two Words"))

    def test_event_times(self):
        for text, expected in (
            ('"2024-03-01T01:00:00.1234567+01:00"', 1_709_251_200_123_456),
            ('"2024-03-01 00:00:00,5"', 1_709_251_200_500_000),
            ("1709251200", 1_709_251_200_000_000),
            ("1709251200.25", 1_709_251_200_250_000),
            ("1709251200123", 1_709_251_200_123_000),
            ("1709251200123456789", 1_709_251_200_123_456),
            ('"yesterday"', None),
            ('"2024-03-01"', None),
        ):
            self.assertEqual(expected, event_time(parse(f'{{"ts":{text}}}')[0][1]), text)

    def test_a_bigint_column_with_its_twin(self):
        table = Table()
        for offset, text in enumerate(('{"N":1}', '{"n":2.50}', '{"n":"x"}', '{"m":{"n":[1, 2]}}')):
            table.add(0, offset, 0, text)
        self.assertEqual({"n": "bigint", "n.double": "double", "m.n": "varchar"}, table.columns)
        self.assertEqual([{"n": 1}, {"n.double": 2.5}, {}, {"m.n": "[1, 2]"}], [row.cells for row in table.rows])
        self.assertEqual({"n": "x"}, table.rows[2].attributes)

    def test_names(self):
        self.assertEqual("~41~2eb_c-1", schema_name("A.b_c-1"))
        self.assertEqual("_1st_x2E_x2Db_x1F", parquet_name("1st.-b\x1f"))

    def test_hash_knows_no_order_of_rows_or_columns(self):
        one, two = TableHash(["a", "b"]), TableHash(["b", "a"])
        one.add([1, "x"])
        one.add([None, "y"])
        two.add(["y", None])
        two.add(["x", 1])
        self.assertEqual(str(one), str(two))


def main():
    result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(Reference))
    return 0 if result.wasSuccessful() else 1
