import pathlib

# An installed package has the place of its clone here.
ROOT = str(pathlib.Path(__file__).resolve().parents[3])
