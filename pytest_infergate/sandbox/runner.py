"""The program inside the sandbox: runs the code, then the exam. Its text is sent there; nothing imports it.

Standard library only, and little of it: every import is paid on every run. It speaks lines of JSON over a
channel of its own. What it calls after the code ran, it took hold of before; ``exam.py`` says what that is
worth.
"""

# mypy: ignore-errors
# ruff: noqa: SIM105


def main():
    import json
    import os
    import resource  # before the files of the run, one of which may have its name
    import sys

    inlet, outlet = (int(end) if end.isdigit() else os.open(end, os.O_RDWR) for end in sys.argv[1:3])
    os.set_inheritable(inlet, False)
    os.set_inheritable(outlet, False)
    job = json.loads(_read_line(inlet, os.read))
    say = _sayer(outlet, os.write, json.dumps)
    say(started=True)
    _lay_out(job, os)
    module = type(sys)("__main__")
    module.__builtins__ = sys.modules["builtins"]
    module.__file__ = os.path.abspath("main.py")
    sys.modules["__main__"] = module
    sys.argv = ["main.py"]
    sys.path.insert(0, os.getcwd())
    sit_exam = _examiner(module.__dict__, inlet, say)
    _limit(job["limits"], resource)
    try:
        exec(compile(job["code"], module.__file__, "exec", dont_inherit=True), module.__dict__)
    except SystemExit:
        raise
    except BaseException as error:
        say(raised=type(error).__name__)
        _show(sys.__excepthook__, type(error), error)
        sys.exit(1)
    if job["has_tests"]:
        sit_exam()


def _examiner(names, inlet, say):
    """Return what runs each paper in a copy of the interpreter that the code leaves behind."""
    import builtins
    import json
    import operator
    import os
    import sys
    from io import StringIO

    space, pristine = builtins.__dict__, dict(builtins.__dict__)
    run, compile_, kind, any_error, left = exec, compile, type, BaseException, SystemExit
    settrace, setprofile, hook, show = sys.settrace, sys.setprofile, sys.__excepthook__, _show
    parse, read, fork, waitpid, leave = json.loads, os.read, os.fork, os.waitpid, os._exit
    compare, read_line, flush = _comparison(operator, os.urandom), _read_line, _flush

    def sit_exam():
        say(ready=True)
        while True:
            paper = parse(read_line(inlet, read) or "null")
            if paper is None:
                leave(0)
            flush(sys)
            child = fork()
            if child:
                say(status=waitpid(child, 0)[1])
                continue
            status = 1
            try:
                settrace(None)
                setprofile(None)
                # Names that the code added stay; those that it replaced are Python's own again.
                space.update(pristine)
                names[paper["compare"]] = compare
                run(compile_(paper["body"], "tests", "exec", dont_inherit=True), names)
                say(at_end=True)
                names[paper["hand_in"]] = lambda token: say(token=token)
                run(compile_(parse(read_line(inlet, read)), "end of tests", "exec", dont_inherit=True), names)
                status = 0
            except any_error as error:
                said, stderr = StringIO(), sys.stderr
                sys.stderr = said
                if kind(error) is left:
                    status = error.code if kind(error.code) is int else int(bool(error.code))
                else:
                    show(hook, kind(error), error)
                sys.stderr = stderr
                say(raised=kind(error).__name__, said=said.getvalue()[-8000:])
            finally:
                flush(sys)
                leave(status & 255)

    return sit_exam


def _comparison(operator, urandom):
    """Return what compares, and believes a yes only of values that do not say yes to everything."""
    eq, contains = operator.eq, operator.contains
    signs = {
        "==": eq,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "in": lambda left, right: contains(right, left),
    }
    kind, wrong, plain = type, AssertionError, (int, float, complex, str, bytes, bool, type(None), type)
    rows = (list, tuple, set, frozenset, dict)

    class Stranger:
        __slots__ = ()

    # Values that no answer is made for; an answer is no answer where it says yes to all of one row.
    stranger, number = Stranger(), int.from_bytes(urandom(6), "big")
    text, number = f"{number:x}", number + 10**15
    strangers = {
        bool: (True, False),
        int: (number,),
        float: (number + 0.5,),
        str: (text,),
        bytes: (text.encode(),),
        list: ([stranger],),
        tuple: ((stranger,),),
        set: ({stranger},),
        dict: ({stranger: stranger},),
    }

    def says_yes(ask, value, row):
        try:
            return all(ask(value, one) for one in row)
        except Exception:  # numpy refuses a truth value, 1 < object() is a TypeError: both are honest
            return False

    def is_yes_to_all(ask, value, asked, depth):
        if kind(value) in rows and depth < 5:
            parts = [*value.values()] if kind(value) is dict else [*value]
            return any(
                is_yes_to_all(eq, one, asked, depth + 1) for one in parts[:1000] if kind(one) not in plain
            )
        return any(says_yes(ask, value, row) for row in asked)

    def compare(sign, left, right, left_is_literal, right_is_literal):
        ask = signs[sign]
        answer = ask(left, right)
        if not answer:
            return answer
        asked_left = eq if sign == "in" else ask
        for value, other, is_literal, question in (
            (left, right, right_is_literal, asked_left),
            (right, left, left_is_literal, lambda value, one: ask(one, value)),
        ):
            asked = [(stranger,)]
            # A stranger may well be greater; and tests may compare with an object that means any number.
            if is_literal and sign in ("==", "in") and kind(other) in strangers:
                has_parts = kind(value) in rows or kind(other) in rows
                asked += strangers.values() if has_parts else [strangers[kind(other)]]
            if kind(value) not in plain and is_yes_to_all(question, value, asked, 0):
                raise wrong(
                    f"an answer of type {kind(value).__name__!r} says yes to every {sign}: it is none"
                )
        return answer

    return compare


def _read_line(inlet, read):
    pieces = []
    while True:
        piece = read(inlet, 65536)
        pieces.append(piece)
        if not piece or piece.endswith(b"\n"):
            return b"".join(pieces)


def _sayer(outlet, write, dumps):
    def say(**message):
        write(outlet, (dumps(message) + "\n").encode())

    return say


def _show(hook, kind, error):
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next  # its own, without the frame of the runner
    hook(kind, error, error.__traceback__)


def _flush(sys):
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # closed, or replaced by the code
            pass


def _limit(limits, resource):
    for name, value in limits.items():
        which = getattr(resource, name)
        hard = resource.getrlimit(which)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # The hard CPU limit comes a second later, so that the signal says which limit it was.
        resource.setrlimit(which, (most, most + 1 if name == "RLIMIT_CPU" and most == value else most))


def _lay_out(job, os):
    """Write the files of the run into the working folder, and open its standard input."""
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it, and a limit would be an exception
    for name, content in job["files"].items():
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(content.encode("latin-1"))
    if job["stdin"]:
        with open(".stdin", "wb+") as file:
            file.write(job["stdin"].encode("latin-1"))
            file.seek(0)
            os.dup2(file.fileno(), 0)
        os.unlink(".stdin")


if __name__ == "__main__":
    main()
