"""Makes what Lambda gets: the zip of every function, and the layer with the libraries for media.

`infra.deploy` and the deployment tests call `package.package` and `libraries.bring_libraries`. The
machine that packages never matters: wheels are chosen for the runtime and held against their
hashes in `requirements.lock`.
"""
