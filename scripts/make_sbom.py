#!/usr/bin/env python3
"""Writes what kgwalk's binaries are made of as CycloneDX 1.5 (an SBOM), on standard output.

Usage: scripts/make_sbom.py --version 0.1.0 --packages packages.txt BINARY...

The shared libraries that the binaries name come from dpkg, with version and license as Debian's copyright files tell
them. Libraries that are headers alone, which no binary names, are those of the list's part "libraries" that own no
shared library. SOURCE_DATE_EPOCH is the time that the list bears.
"""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed(binary):
    """Names of the shared libraries that a binary names, with where the loader finds them."""
    names = re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", binary))
    found = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", binary)))
    return [found[name] for name in names if name in found]


def owner(file):
    """The Debian package that a file belongs to; alternatives are followed."""
    for path in (file, os.path.realpath(file), os.path.realpath(file).removeprefix("/usr")):
        done = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if not line.startswith("diversion")]
        if done.returncode == 0 and lines:
            return lines[0].split(":")[0]
    raise SystemExit(f"make_sbom: no package owns {file}")


def headers_alone(list_of_packages):
    """Packages of the part "libraries" that have headers and no library to load."""
    inside, names = False, []
    for line in pathlib.Path(list_of_packages).read_text().splitlines():
        if line.startswith("#"):
            inside = line.startswith("# libraries")
        elif inside and line.strip():
            names.append(line.strip())
    only = []
    for name in names:
        files = output("dpkg", "-L", name).splitlines()
        depends = output("dpkg-query", "-W", "-f", "${Depends}", name)
        loads = any(re.search(r"\.so(\.|$)", file) for file in files)
        if not loads and any(file.startswith("/usr/include/") and file.endswith((".h", ".hpp")) for file in files) or \
                name.startswith("libboost") and "libboost1" in depends:
            only.append(name)
    return only


def licenses(package):
    """Short names of Debian's machine-readable copyright file; none where it is free text."""
    file = pathlib.Path(f"/usr/share/doc/{package}/copyright")
    if not file.exists():
        return []
    names = re.findall(r"^License:[ \t]*(\S.*)$", file.read_text(errors="replace"), re.MULTILINE)
    return sorted({name.strip() for name in names})


def component(package, scope):
    version, source, homepage, arch = output(
        "dpkg-query", "-W", "-f", "${Version}\t${source:Package}\t${Homepage}\t${Architecture}\n", package).splitlines()[0].split("\t")
    entry = {
        "type": "library",
        "bom-ref": f"pkg:deb/debian/{package}@{version}",
        "name": package,
        "version": version,
        "scope": scope,
        "purl": f"pkg:deb/debian/{package}@{version}?arch={arch}&distro=debian-12&upstream={source}",
    }
    if homepage:
        entry["externalReferences"] = [{"type": "website", "url": homepage}]
    told = licenses(package)
    if told:
        entry["licenses"] = [{"license": {"name": name}} for name in told]
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("binaries", nargs="+")
    words = parser.parse_args()

    loaded = sorted({owner(file) for binary in words.binaries for file in needed(binary)})
    compiled_in = sorted(set(headers_alone(words.packages)) - set(loaded))
    components = [component(package, "required") for package in loaded + compiled_in]
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.timezone.utc)
    root = f"pkg:generic/kgwalk@{words.version}"
    text = json.dumps([root, components], sort_keys=True)
    bom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, text)}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": root, "name": "kgwalk", "version": words.version,
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": components,
        "dependencies": [{"ref": root, "dependsOn": [entry["bom-ref"] for entry in components]}],
    }
    json.dump(bom, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
