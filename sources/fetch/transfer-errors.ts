/** The same request may succeed later: a dropped connection, a busy server. `afterMs`: what the server asked for. */
export class RetryLater extends Error {
  override readonly name: string = "RetryLater";
  readonly afterMs: number | undefined;
  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** What is on disk does not go with what the server has now: begin again from nothing. */
export class Restart extends Error {
  override readonly name: string = "Restart";
}

/** This address will not give the file: it is not there, is another size, or has another hash. */
export class WrongAnswer extends Error {
  override readonly name: string = "WrongAnswer";
}
