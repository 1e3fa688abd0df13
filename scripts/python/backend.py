"""Makes the wheel of this folder with the standard library alone, so that pip needs no network."""
import base64
import hashlib
import pathlib
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
Tag: py3-none-any
"""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in sorted((HERE / "cadem").glob("*.py"))}
    # Where the command is built, if it is not on the path.
    files["cadem/_clone.py"] = f"ROOT = {str(HERE.parent.parent)!r}\n".encode()
    files[INFO + "/METADATA"] = METADATA.encode()
    files[INFO + "/WHEEL"] = WHEEL.encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[INFO + "/RECORD"] = (record + INFO + "/RECORD,,\n").encode()
    wheel = "cadem-0.1-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from a clone of the repository: the package builds the command there")
