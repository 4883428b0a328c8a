# Licensed under the Apache License, Version 2.0 (see the file LICENSE).
"""Queries rows of Apache HBase by value, through a gateway of Spyhop.

    import spyhop

    with spyhop.connect("localhost:16050") as connection:
        frame = connection.query("orders", "totalprice > 10", columns=["custkey"]).to_pandas()

The gateway is started by ``spyhop gateway``; docs/python.md says how, and what there is.
"""

import base64
import contextlib
import datetime
import decimal
import json
import math
import re

import pyarrow
from pyarrow import flight

__all__ = ["Connection", "Result", "SpyhopError", "connect"]

_VERSION = 1
_LOOPBACK = ("localhost", "127.0.0.1", "[::1]")

# What Flight writes around the gateway's own words.
_BEFORE = re.compile(r"^(?:Flight|gRPC) [\w ]+,? with message: ")
_AFTER = re.compile(r"\.? (?:gRPC client debug context|Client context|Detail): .*$", re.DOTALL)


class SpyhopError(Exception):
    """A query that was refused or failed; the message is one line for its reader."""


@contextlib.contextmanager
def _told():
    """Errors of Arrow and Flight as SpyhopError."""
    try:
        yield
    except (pyarrow.ArrowException, flight.FlightError) as error:
        text = str(error.args[0] if error.args else error)
        text = _AFTER.sub("", _BEFORE.sub("", text))
        raise SpyhopError(text.strip()) from error


def connect(address, token=None, tls=False, ca=None):
    """Connects to a gateway, which is asked for nothing yet.

    address: ``"host:port"``
    token: what ``--token-file`` knows the hash of; None for a gateway without tokens
    tls: whether the gateway has a certificate (``--tls-certificate``)
    ca: a file of certificates in PEM to trust in place of the system's; implies ``tls``

    Raises SpyhopError if the address is none, or a token would cross a network without TLS.
    """
    secure = tls or ca is not None
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise SpyhopError(f"'{address}' is not HOST:PORT, such as localhost:16050")
    if token is not None and not secure and host not in _LOOPBACK:
        raise SpyhopError(f"a token is not sent to '{host}' without TLS: connect(..., tls=True)")
    roots = {}
    if ca is not None:
        try:
            with open(ca, "rb") as file:
                roots["tls_root_certs"] = file.read()
        except OSError as error:
            raise SpyhopError(f"ca: {error}") from error
    with _told():
        scheme = "grpc+tls" if secure else "grpc+tcp"
        client = flight.connect(f"{scheme}://{address}", **roots)
    return Connection(client, token)


class Connection:
    """A connection to a gateway. Threads may share it. Close it, or use it in ``with``."""

    def __init__(self, client, token):
        self._client = client
        headers = [] if token is None else [(b"authorization", f"Bearer {token}".encode())]
        self._options = flight.FlightCallOptions(headers=headers)

    def query(
        self,
        table,
        where=None,
        params=None,
        columns=None,
        order_by=None,
        descending=False,
        limit=None,
        timeout=None,
    ):
        """Asks for rows of a table, which come when the Result is read.

        where: a condition (docs/queries.md); None for all rows
        params: values of the condition's ``?`` as a list, or of its ``:name`` as a dict: bool, int,
            float, str, bytes, Decimal, date, datetime (without a time zone: UTC), lists for IN
        columns: names as in conditions, ``"rowkey"``, or ``"CAST(d:note AS STRING)"`` for one that
            no index declares; None for the row key and all declared columns
        order_by, descending: a column whose values order the rows; rows without one are left out
        limit: the most rows
        timeout: seconds, of which the gateway has a limit of its own
        """
        request = _request(table, where, params, columns, order_by, descending, limit, timeout)
        with _told():
            reader = self._client.do_get(flight.Ticket(request), self._options)
        return Result(reader)

    def explain(self, table, where=None, **options):
        """How ``query`` with the same arguments would be answered, region by region, as text."""
        return self._act("explain", _request(table, where, **options))

    def count(self, table, where=None, params=None, timeout=None):
        """How many rows satisfy a condition; regions count them."""
        return int(self._act("count", _request(table, where, params, timeout=timeout)))

    def tables(self):
        """The tables that declare columns, by their names: the Arrow schema of each."""
        with _told():
            flights = list(self._client.list_flights(options=self._options))
        return {f.descriptor.path[0].decode(): f.schema for f in flights}

    def _act(self, kind, request):
        with _told():
            results = list(self._client.do_action(flight.Action(kind, request), self._options))
        return results[0].body.to_pybytes().decode()

    def close(self):
        """Ends the connection; harmless when repeated."""
        self._client.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Result:
    """The rows of a query, which can be read once: at a time, or batch by batch."""

    def __init__(self, reader):
        self._reader = reader
        self._cancelled = False
        self._read = False

    def _open(self):
        if self._cancelled:
            raise SpyhopError("the query was cancelled; ask again")
        return self._reader

    def _once(self):
        """Begins the one reading."""
        self._open()
        if self._read:
            raise SpyhopError("the rows of a result can be read once; ask again")
        self._read = True

    @property
    def schema(self):
        """The columns and their Arrow types. Waits for the first rows."""
        with _told():
            return self._open().schema

    def to_arrow(self):
        """All rows as a pyarrow.Table."""
        self._once()
        with _told():
            return self._open().read_all()

    def to_pandas(self, **options):
        """All rows as a pandas.DataFrame; options are those of pyarrow.Table.to_pandas."""
        return self.to_arrow().to_pandas(**options)

    def __iter__(self):
        """Batches of rows as pyarrow.RecordBatch, while they come."""
        self._once()
        return self._batches()

    def _batches(self):
        while True:
            with _told():
                try:
                    batch = self._open().read_chunk().data
                except StopIteration:
                    return
            yield batch

    def cancel(self):
        """Ends the query before its end; the gateway stops reading."""
        self._cancelled = True
        self._reader.cancel()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cancel()


def _request(
    table,
    where=None,
    params=None,
    columns=None,
    order_by=None,
    descending=False,
    limit=None,
    timeout=None,
):
    """The query as docs/formats/gateway.md has it."""
    if isinstance(columns, str):
        raise SpyhopError(f"columns is a list of names, not the text '{columns}'")
    request = {"version": _VERSION, "table": table}
    if where is not None:
        request["where"] = where
    if isinstance(params, dict):
        request["params"] = {name: _value(value) for name, value in params.items()}
    elif isinstance(params, (list, tuple)):
        request["params"] = [_value(value) for value in params]
    elif params is not None:
        raise SpyhopError(f"params is a list or a dict, not a {type(params).__name__}")
    if columns is not None:
        request["columns"] = list(columns)
    if order_by is not None:
        request["orderBy"] = order_by
    if descending:
        request["descending"] = True
    if limit is not None:
        request["limit"] = _number("limit", limit, int)
    if timeout is not None:
        request["timeoutMs"] = math.ceil(_number("timeout", timeout, float) * 1000)
    try:
        return json.dumps(request).encode()
    except TypeError as error:
        raise SpyhopError(f"the query cannot be sent: {error}") from error


def _number(name, value, kind):
    """An option that is a number, of NumPy's too; True is none."""
    wrong = isinstance(value, (str, bool)) or getattr(getattr(value, "dtype", None), "kind", "") == "b"
    try:
        number = kind(value)
        if not wrong and number == value and math.isfinite(number):
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise SpyhopError(f"{name} is {value!r}, which is no number")


def _value(value):
    """A parameter as JSON has it."""
    # Arrays of NumPy and series of pandas, and what they are made of, before they become numbers.
    if isinstance(value, (list, tuple, set, frozenset)) or getattr(value, "ndim", 0) > 0:
        return [_value(one) for one in value]
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    if kind == "M" and value == value:  # nanoseconds would come out as numbers of them
        value = value.astype("datetime64[us]").item()
    elif kind in ("m", "M") or (isinstance(value, datetime.datetime) and value != value):
        raise SpyhopError(f"a parameter cannot be {value}")
    if isinstance(value, (bytes, bytearray)):
        return {"bytes": base64.b64encode(value).decode()}
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            try:
                value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
            except OverflowError as error:
                raise SpyhopError(f"{value} has no time in UTC") from error
        return value.isoformat() + "Z"
    if isinstance(value, (datetime.date, decimal.Decimal)):
        return str(value)
    if hasattr(value, "item"):  # a number of NumPy
        return _value(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        raise SpyhopError(f"{value} is no value of a parameter")
    if isinstance(value, (bool, int, float, str)):
        return value
    raise SpyhopError(f"a parameter cannot be a {type(value).__name__}")
