"""JSON from outside: what is valid can be stored and sent again."""

from __future__ import annotations

import json


def read_json(data: bytes) -> object:
    """Return parsed JSON in UTF-8, all of whose texts can be encoded again.

    Raises:
        ValueError: If it is invalid: broken, nested too deeply, or with half of a surrogate pair in a text.
    """
    text = data.decode()  # json.loads itself would accept encoded surrogates
    try:
        found: object = json.loads(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found
