import asyncio
import time

import pytest

from pincite.models.endpoints.endpoint_limits import Bucket, Gate, Limits


def test_no_more_pass_at_once_than_there_are_places():
    async def work():
        gate, inside, most = Gate(Limits(concurrency=3)), 0, 0

        async def one():
            nonlocal inside, most
            async with gate.enter(1000):
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.005)
                inside -= 1

        await asyncio.gather(*[one() for _ in range(10)])
        return most

    assert asyncio.run(work()) == 3


def test_a_bucket_lets_a_twentieth_go_at_once_and_the_rest_flow():
    async def work():
        bucket, started = Bucket(6000), time.monotonic()
        for _ in range(300):
            await bucket.take(1)
        at_once = time.monotonic() - started
        for _ in range(19):  # 5700 a minute flow in: 95 a second
            await bucket.take(1)
        return at_once, time.monotonic() - started

    at_once, later = asyncio.run(work())
    assert at_once < 0.1
    assert later == pytest.approx(0.2, abs=0.1)


def test_a_large_taking_goes_when_the_bucket_is_full_and_leaves_a_debt():
    async def work():
        bucket, started = Bucket(6000), time.monotonic()
        await bucket.take(310)
        large = time.monotonic() - started
        await bucket.take(9)
        debt = time.monotonic() - started
        await bucket.take(19)
        bucket.give(300)
        await bucket.take(150)
        return large, debt, time.monotonic() - started

    large, debt, given_back = asyncio.run(work())
    assert large < 0.1
    assert debt == pytest.approx(0.2, abs=0.1)
    assert given_back == pytest.approx(0.4, abs=0.15)


def test_who_leaves_the_queue_takes_nothing():
    async def work():
        bucket = Bucket(60)  # 3 at once, then one in about a second
        await bucket.take(3)
        waiting = asyncio.create_task(bucket.take(3))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        bucket.give(1)
        await asyncio.wait_for(bucket.take(1), 0.5)

    asyncio.run(work())


def test_without_limits_nothing_waits():
    async def work():
        bucket, started = Bucket(0), time.monotonic()
        for _ in range(1000):
            await bucket.take(10**6)
        return time.monotonic() - started

    assert asyncio.run(work()) < 0.1
