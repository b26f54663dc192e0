"""What the tests with Spark and those without share."""

import fsspec
import pytest


@pytest.fixture(scope="module")
def s3():
    """Storage options for an S3 server on the loopback."""
    server_module = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    options = {"key": "a", "secret": "b", "endpoint_url": f"http://{host}:{port}"}
    fsspec.filesystem("s3", **options).mkdir("crawl")
    yield {"s3": options}
    server.stop()
