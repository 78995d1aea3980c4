"""What only the app does: sessions, team and settings, connecting by a browser, review links.

Pages in `chalicelib/web` call it, and the operator's commands for links. Who may do what is checked
here against the signed-in caller, never in a page.
"""
