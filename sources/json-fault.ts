/**
 * Where a JSON text breaks and what should have stood there. Runs only on a text that JSON.parse has refused, because
 * the engine's own message often has no position.
 */
export interface JsonFault {
  /** Index into the text, in UTF-16 units; the text's length when it ends too early. */
  offset: number;
  expected: string;
}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING_PART = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/y;

class Fault extends Error {
  readonly offset: number;
  readonly expected: string;
  constructor(offset: number, expected: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
  }
}

class Walker {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  whole(): void {
    this.value();
    this.skip(SPACE);
    if (this.at < this.text.length) throw new Fault(this.at, "the end of the value");
  }

  private skip(pattern: RegExp): number {
    pattern.lastIndex = this.at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    this.at += length;
    return length;
  }

  private take(token: string): boolean {
    if (!this.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  private value(): void {
    this.skip(SPACE);
    if (this.take("{")) this.members("}", () => this.member());
    else if (this.take("[")) this.members("]", () => this.value());
    else if (this.text[this.at] === '"') this.string("a value");
    else if (!this.take("true") && !this.take("false") && !this.take("null") && this.skip(NUMBER) === 0) {
      throw new Fault(this.at, "a value");
    }
  }

  private members(close: string, one: () => void): void {
    this.skip(SPACE);
    if (this.take(close)) return;
    for (;;) {
      one();
      this.skip(SPACE);
      if (this.take(close)) return;
      if (!this.take(",")) throw new Fault(this.at, `"," or "${close}"`);
    }
  }

  private member(): void {
    this.skip(SPACE);
    this.string("a field name in double quotes");
    this.skip(SPACE);
    if (!this.take(":")) throw new Fault(this.at, '":"');
    this.value();
  }

  private string(what: string): void {
    if (!this.take('"')) throw new Fault(this.at, what);
    this.skip(STRING_PART);
    if (this.take('"')) return;
    throw new Fault(this.at, this.text[this.at] === "\\" ? "a valid escape" : "the rest of a string");
  }
}

/** The first place where `text` is not JSON; undefined when it is (or when it is nested too deeply to walk). */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    new Walker(text).whole();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return { offset: error.offset, expected: error.expected };
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
