"""Makes the wheel of this folder with the standard library alone, so that pip needs no network."""
import base64
import hashlib
import os
import pathlib
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
INFO = "cadem-0.1.dist-info"
METADATA = """Metadata-Version: 2.1
Name: cadem
Version: 0.1
Summary: Disentangled embeddings of multiplex graphs, by the cadem command
Requires-Python: >=3.9
Requires-Dist: numpy
"""
WHEEL = """Wheel-Version: 1.0
Generator: cadem
Root-Is-Purelib: true
Tag: {}
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    names = [path for kind in ("*.py", "*.pyi", "py.typed") for path in sorted((HERE / "cadem").glob(kind))]
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in names}
    # "make wheel" builds the command and puts it in; otherwise the clone is where it is built, if it is not on the path.
    program, tag = os.environ.get("CADEM_PROGRAM"), "py3-none-any"
    files["cadem/_clone.py"] = f"ROOT = {None if program else str(HERE.parent.parent)!r}\n".encode()
    if program:
        tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
        files["cadem/" + os.path.basename(program)] = pathlib.Path(program).read_bytes()
        for kind in ("cadem.js", "worker.*.js", "wasm_exec.*.js", "whole.*.gz", "methods.*.gz"):  # for html()
            found = (HERE.parent.parent / "dist").glob(kind)
            files.update({"cadem/site/" + path.name: path.read_bytes() for path in found})
    files[INFO + "/METADATA"] = METADATA.encode()
    files[INFO + "/WHEEL"] = WHEEL.format(tag).encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[INFO + "/RECORD"] = (record + INFO + "/RECORD,,\n").encode()
    wheel = f"cadem-0.1-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            runs = program and name == "cadem/" + os.path.basename(program)
            member.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(member, data, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from a clone of the repository: the package builds the command there")
