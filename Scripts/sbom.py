#!/usr/bin/env python3
"""Writes the packages of a root file system as SPDX 2.3 in JSON: those of dpkg, and the Swift packages that typeset was built with.

    sbom.py ROOT VERSION > typeset.spdx.json

SOURCE_DATE_EPOCH is the time that it tells.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

FIELDS = ["Package", "Version", "Architecture", "source:Package", "source:Version", "Maintainer", "Homepage"]


def identifier(*parts):
    """An SPDX id."""
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(parts))


def debian(root):
    """The packages that dpkg has installed."""
    release = dict(line.split("=", 1) for line in (root / "etc/os-release").read_text().splitlines() if "=" in line)
    distribution = release.get("ID", "debian").strip('"')
    form = "\\t".join("${%s}" % field for field in FIELDS) + "\\t${db:Status-Status}\\n"
    listing = subprocess.run(
        ["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W", "-f", form], check=True, capture_output=True, text=True)
    for line in sorted(listing.stdout.splitlines()):
        name, version, architecture, source, source_version, maintainer, homepage, status = line.split("\t")
        if status != "installed":
            continue
        yield {
            "SPDXID": identifier("deb", name, architecture), "name": name, "versionInfo": version,
            "supplier": f"Person: {maintainer}", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "homepage": homepage or "NOASSERTION", "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
            "copyrightText": "NOASSERTION", "sourceInfo": f"built from {source} {source_version}",
            "externalRefs": [{
                "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                "referenceLocator": f"pkg:deb/{distribution}/{name}@{version.replace('+', '%2B')}?arch={architecture}"}],
        }


def swift(resolved):
    """The packages that are linked into the programs, as the last build here resolved them."""
    if not resolved.exists():
        return
    for pin in json.loads(resolved.read_text())["pins"]:
        location = pin["location"].removesuffix(".git")
        yield {
            "SPDXID": identifier("swift", pin["identity"]), "name": pin["identity"], "versionInfo": pin["state"]["version"],
            "supplier": "NOASSERTION", "downloadLocation": f"git+{location}@{pin['state']['revision']}",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "Apache-2.0",
            "copyrightText": "NOASSERTION",
        }


def main():
    root, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    packages = [*debian(root), *swift(pathlib.Path(__file__).resolve().parents[1] / "Package.resolved")]
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    print(json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"typeset-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/typeset-{version}-{os.environ['SOURCE_DATE_EPOCH']}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: typeset-sbom"]},
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": package["SPDXID"]}
            for package in packages],
    }, indent=1, sort_keys=True))


main()
