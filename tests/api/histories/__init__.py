"""Histories of many callers at once against a running stack, judged by Porcupine (Go).

`recording` makes and records the calls; `checker` says what one caller alone would see.
"""
