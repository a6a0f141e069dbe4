from benchmarks.fresh import fresh_env


def test_a_fresh_process_keeps_what_it_compiles_and_all_else_of_the_environment() -> None:
    assert fresh_env({"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/bin"}) == {"PATH": "/bin"}
