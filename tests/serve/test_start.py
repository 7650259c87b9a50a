"""What serving costs those who do not serve: nothing."""

import json
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

pytestmark = pytest.mark.servers


def test_no_other_verb_imports_the_web_extra(example_corpus):
    heavy = "fastapi", "starlette", "uvicorn", "jinja2", "multipart", "pincite.serve"
    question = "What was revenue in 2022?"
    code = (
        "import sys; from pincite.cli.main import main\n"
        f"sys.argv = ['pincite', 'ask', {question!r}, '--corpus', {str(example_corpus)!r}]\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_without_the_extra_the_message_says_how_to_get_it(example_corpus):
    code = (
        "import sys; sys.modules['uvicorn'] = None\nfrom pincite.cli.main import main\n"
        f"sys.argv = ['pincite', 'serve', '--corpus', {str(example_corpus)!r}]\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2 and "pip install 'pincite[web]'" in done.stderr


def test_a_server_starts_answers_and_finishes_what_is_under_way_before_it_ends(example_corpus):
    command = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "serve",
        "-c",
        str(example_corpus),
        "--port",
        "0",
        "--json",
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        told = ""
        while not told.rstrip().endswith("}"):
            told += server.stdout.readline()
        about = json.loads(told)
        assert about["corpora"] == ["examples"] and about["address"].startswith(
            "http://127.0.0.1:"
        )
        base = about["address"] + "api/v1/corpora/examples"
        assert httpx.get(base, timeout=60).json()["documents"] == 3
        assert (
            httpx.post(
                f"{base}/ask", json={"question": "What was revenue in 2020?"}, timeout=60
            ).status_code
            == 200
        )
        with ThreadPoolExecutor(3) as asking:
            years = (2021, 2022, 2023)
            questions = [
                f"What was the revenue of Halvorsen Maritime in {year}?" for year in years
            ]
            replies = [
                asking.submit(httpx.post, f"{base}/ask", json={"question": one}, timeout=60)
                for one in questions
            ]
            while (
                "pincite_questions_under_way 3"
                not in httpx.get(about["address"] + "metrics", timeout=60).text
            ):
                if all(one.done() for one in replies):
                    break
            server.send_signal(signal.SIGTERM)
            assert [one.result().status_code for one in replies] == [200, 200, 200]
        assert server.wait(30) is not None
        assert "Traceback" not in server.stderr.read()
    finally:
        server.kill()
