"""`python -m infra.template --stage NAME`: prints a stage's template, as it would be sent."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from infra.packaging.package import package
from infra.template.stage import Code, plain_template, stage_template


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option("--region", default="us-east-1", show_default=True)
def main(stage: str, region: str) -> None:
    """Print a stage's template, as it would be sent, for whoever wants to read or check it."""
    with TemporaryDirectory() as folder:
        packaged = package(stage, Path(folder), region=region).template
    code = Code(bucket="artifacts", zip_key="code/app.zip", layer_key="code/layer.zip")
    plain = plain_template(stage_template(packaged, stage), code=code, region=region)
    click.echo(json.dumps(plain, indent=2))


if __name__ == "__main__":
    main()
