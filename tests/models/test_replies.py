import asyncio
from decimal import Decimal

import pytest

from pincite.errors import ModelUnreachable
from pincite.models.endpoints.replies import KeptReply, Replies, key_of
from pincite.types import Usage

REPLY = KeptReply('{"a": 1}', "length", Usage(5, 2, 1), Decimal("0.25"))


def test_a_reply_is_kept_for_the_next_process_and_the_first_one_stays(tmp_path):
    path = tmp_path / "new" / "replies.sqlite"
    kept = Replies(path)
    kept.put("k", "m", REPLY)
    kept.put("k", "m", KeptReply("another"))
    assert Replies(path).get("k") == REPLY
    assert Replies(path).get("other") is None


def test_keys_differ_with_anything_in_the_request_and_with_nothing_else():
    assert key_of(["m", {"a": 1, "b": 2}]) == key_of(["m", {"b": 2, "a": 1}])
    assert key_of(["m", "x"]) != key_of(["m", "y"])


def test_equal_requests_at_once_are_sent_once():
    async def work():
        replies, sent = Replies(), []

        async def send():
            sent.append(1)
            await asyncio.sleep(0.02)
            return REPLY

        first = await asyncio.gather(*[replies.once("k", "m", send) for _ in range(5)])
        return first, await replies.once("k", "m", send), len(sent)

    first, again, sent = asyncio.run(work())
    assert sent == 1
    assert sorted(fresh for _, fresh in first) == [False] * 4 + [True]
    assert again == (REPLY, False)


def test_a_failure_is_shared_and_not_kept():
    async def work():
        replies, sent = Replies(), []

        async def send():
            sent.append(1)
            await asyncio.sleep(0.01)
            if len(sent) == 1:
                raise ModelUnreachable("away")
            return REPLY

        failed = await asyncio.gather(
            *[replies.once("k", "m", send) for _ in range(3)], return_exceptions=True
        )
        return failed, await replies.once("k", "m", send)

    failed, after = asyncio.run(work())
    assert [str(one) for one in failed] == ["away"] * 3
    assert after == (REPLY, True)


def test_one_who_leaves_does_not_take_the_others_reply_away():
    async def work():
        replies = Replies()

        async def send():
            await asyncio.sleep(0.03)
            return REPLY

        leaving, staying = [asyncio.create_task(replies.once("k", "m", send)) for _ in range(2)]
        await asyncio.sleep(0.01)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        return await staying

    assert asyncio.run(work())[0] == REPLY


def test_when_all_leave_the_request_is_given_up_and_can_be_made_again():
    async def work():
        replies, ended = Replies(), []

        async def send():
            try:
                await asyncio.sleep(5)
            except asyncio.CancelledError:
                await asyncio.sleep(0.01)  # it takes a moment to hang up
                ended.append("cancelled")
                raise
            raise AssertionError

        async def soon():
            return REPLY

        task = asyncio.create_task(replies.once("k", "m", send))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.sleep(0)
        again = await replies.once("k", "m", soon)
        await asyncio.gather(task, return_exceptions=True)
        return ended, again, len(asyncio.all_tasks())

    ended, again, tasks = asyncio.run(work())
    assert ended == ["cancelled"]
    assert again == (REPLY, True)
    assert tasks == 1
