"""What each of the eleven platforms takes: captions, options, files, and TikTok's own rules."""
