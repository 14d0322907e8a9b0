/**
 * Why a statement has no sentence. `no_sentence`: it has a form that the parser or the verbaliser does not read, which
 * says nothing against the statement. `names_table`: what it says cannot be said without a word of the table's name.
 */
export class NoSentence extends Error {
  override readonly name = "NoSentence";
  readonly reason: "no_sentence" | "names_table";
  constructor(reason: NoSentence["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
