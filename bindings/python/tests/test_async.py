"""The asynchronous twin: it does not block the loop, and cancelling it ends the program."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conftest import is_alive

import manila


def test_two_calls_run_at_a_time(fifo: Path) -> None:
    # Each needs the other: one writes what the other reads.
    async def both() -> tuple[manila.Outcome, manila.Outcome]:
        reader = manila.run_async(["cat", fifo], timeout=120)
        writer = manila.run_async(["sh", "-c", f"echo met > {fifo}"], timeout=120)
        return await asyncio.gather(reader, writer)

    reader, writer = asyncio.run(both())
    assert writer.ok and reader.stdout == b"met\n"


def test_more_calls_than_any_pool_has_threads(tmp_path: Path) -> None:
    async def many() -> list[manila.Outcome]:
        # All wait for the directory that the last one makes.
        wait = f"while [ ! -d {tmp_path}/go ]; do sleep 0.05; done"
        calls = [manila.run_async(["sh", "-c", wait], timeout=300) for _ in range(40)]
        return await asyncio.gather(*calls, manila.run_async(["mkdir", tmp_path / "go"]))

    assert all(outcome.ok for outcome in asyncio.run(many()))


def test_cancelling_ends_the_program(fifo: Path) -> None:
    async def cancelled() -> int:
        task = asyncio.create_task(
            manila.run_async(["sh", "-c", f"echo $$ > {fifo}; exec sleep 600"])
        )
        pid = int(await asyncio.to_thread(fifo.read_text))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pid

    assert not is_alive(asyncio.run(cancelled()))


def test_a_limit_of_asyncio_ends_the_program(fifo: Path) -> None:
    async def limited() -> int:
        pids: list[int] = []

        async def read() -> None:
            pids.append(int(await asyncio.to_thread(fifo.read_text)))

        reading = asyncio.create_task(read())
        call = manila.run_async(["sh", "-c", f"echo $$ > {fifo}; exec sleep 600"])
        task = asyncio.ensure_future(call)
        await reading
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(task, 0.01)
        return pids[0]

    assert not is_alive(asyncio.run(limited()))


def test_mistakes_are_raised_where_it_is_awaited() -> None:
    with pytest.raises(TypeError, match="run_async.*did you mean 'timeout'"):
        asyncio.run(manila.run_async(["true"], timeuot=1))  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="argv has no program"):
        asyncio.run(manila.run_async([]))


def test_a_failure_is_an_outcome() -> None:
    outcome = asyncio.run(manila.run_async(["sh", "-c", "exit 4"]))
    assert (outcome.ok, outcome.exit_code) == (False, 4)
