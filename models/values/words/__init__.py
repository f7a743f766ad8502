"""Tables of words, a module a language and subject: a value to the words that say it."""
