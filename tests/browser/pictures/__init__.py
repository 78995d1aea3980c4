"""Pictures of every page, always alike: a bakery's week on a clock that stands still."""
