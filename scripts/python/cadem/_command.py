"""Finds or builds the command, and runs it; serves the page."""
import atexit
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading

from ._clone import ROOT


class Error(ValueError):
    """What the command refused: a shape, an option, a graph that is too large, or data that cannot be read."""


class Interrupted(KeyboardInterrupt):
    """A training that was stopped. Its run is in the file `run`: CaDeM.resume(run) goes on with it."""

    def __init__(self, run):
        super().__init__(f"stopped; CaDeM.resume({run!r}) goes on")
        self.run = run


def find(command=None):
    """Returns the path of the command: as given, of the variable CADEM, in the wheel, on the PATH, or in the clone, where it is built once."""
    for path in (command, os.environ.get("CADEM")):
        if path:
            if not shutil.which(path):
                raise FileNotFoundError(f"{path} is no program, expected the command cadem")
            return path
    name = "cadem.exe" if os.name == "nt" else "cadem"
    packed = pathlib.Path(__file__).parent / name
    built = pathlib.Path(ROOT or ".", "bin", name)
    if packed.exists() or ROOT and built.exists():
        return str(packed if packed.exists() else built)
    if shutil.which("cadem") or not ROOT:
        return shutil.which("cadem") or "cadem"
    if not (pathlib.Path(ROOT) / "scripts" / "cadem").is_dir():
        raise FileNotFoundError(f"there is no clone of the repository in {ROOT}: put the command cadem on the PATH, or its path into CADEM")
    if not shutil.which("go"):
        raise FileNotFoundError("the command cadem is not built, and there is no go to build it: install Go 1.26 from https://go.dev/dl/")
    done = subprocess.run(["go", "build", "-tags=noasm", "-buildvcs=false", "-o", str(built), "./scripts/cadem"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise OSError("the command cadem could not be built:\n" + done.stderr)
    return str(built)


def run(command, *arguments, kept=None):
    """Runs the command and returns the JSON that it prints. Ctrl-C stops it as it does in a terminal, and keeps the run in `kept`."""
    # A group of its own: a terminal would stop it along with Python, a notebook Python alone.
    child = subprocess.Popen([find(command), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
                             start_new_session=True)
    try:
        out, said = child.communicate()
    except KeyboardInterrupt:
        child.send_signal(signal.SIGINT)
        child.communicate()
        if kept and os.path.exists(kept):
            raise Interrupted(kept) from None
        raise
    except BaseException:
        child.kill()
        raise
    if child.returncode:
        raise Error(_reason(said))
    return json.loads(out)


def _reason(said):
    """Returns what the command said last, in one line."""
    _, _, reason = ("\n" + said).rpartition("\ncadem: ")
    return " ".join(reason.split()) or said.strip() or "the command ended without a word"


_server = None  # which serves the page, one at a time: the browser keeps what belongs to an address


def serve(run, site=None):
    """Serves the page until Python ends, or until it is called again, and returns the address at which the page opens a run."""
    global _server
    if not ROOT or not (pathlib.Path(ROOT) / "go.mod").exists() or not shutil.which("go"):
        raise FileNotFoundError(f"the page is served with Go 1.26 from a clone of the repository, and {ROOT or 'a wheel'} is none or there is no go:"
                                " install it from https://go.dev/dl/, or open the page elsewhere and drop the file of the run there")
    if _server:
        _server.end()
    folder = site or os.environ.get("CADEM_SITE")
    _server = _Server(os.path.abspath(run), ["-dir", os.path.abspath(folder)] if folder else [])
    return _server.address


class _Server:
    def __init__(self, run, arguments):
        # In a group of its own, as above; go passes no signal on, so that the whole group gets it.
        self.child = subprocess.Popen(["go", "run", "-tags=noasm", "-buildvcs=false", ".", "-run", run, *arguments], cwd=ROOT,
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True)
        atexit.register(self.end)
        said, self.address = [], None
        for line in self.child.stderr:
            said.append(line)
            if line.startswith("open http"):
                self.address = line.split()[1]
                break
        self.rest = threading.Thread(target=collections.deque, args=(self.child.stderr, 0), daemon=True)  # read, or it would wait for a reader
        self.rest.start()
        if not self.address:
            self.end()
            raise OSError("the page could not be served:\n" + "".join(said))

    def end(self):
        if hasattr(os, "killpg") and self.child.poll() is None:
            os.killpg(self.child.pid, signal.SIGTERM)
        self.child.terminate()
        self.child.wait()
        self.rest.join()
        self.child.stderr.close()
        atexit.unregister(self.end)
