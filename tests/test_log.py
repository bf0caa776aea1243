"""Logs: JSON lines off a terminal, and no text of a peer that forges a line or moves the cursor."""

import json

import pytest
import structlog

from bonnard.log import set_up_logging


def test_lines_are_json_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging()
    structlog.get_logger().info("chat", text='\x1b[2J\r\nfake "line"')
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    line = json.loads(err)
    assert (line["event"], line["level"], line["text"]) == ("chat", "info", '\x1b[2J\r\nfake "line"')


def test_a_terminal_is_not_steered_by_peers(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("info", "console")
    structlog.get_logger().info("chat", text="\x1b[2J\r\nfake line\x07")
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "\x1b[2J" not in err
    assert "\x07" not in err
    assert "fake line" in err


def test_an_exception_is_logged_whole(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("error", "json")
    try:
        int("x")
    except ValueError:
        structlog.get_logger().exception("failed")
    assert "ValueError" in json.loads(capsys.readouterr().err)["exception"]


@pytest.mark.parametrize(
    ("level", "environment", "heard"),
    [("", "", ["info", "error"]), ("error", "debug", ["error"]), ("", "debug", ["debug", "info", "error"])],
)
def test_the_level(
    level: str,
    environment: str,
    heard: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BONNARD_LOG_LEVEL", environment)
    set_up_logging(level)
    for name in ("debug", "info", "error"):
        getattr(structlog.get_logger(), name)(name)
    assert [json.loads(line)["level"] for line in capsys.readouterr().err.splitlines()] == heard
