/** What a session may ask of those who administer the server. */
export interface Steward {
  /** Asks the server to stop what a backend runs; the session stays. */
  cancel(backend: number): Promise<void>;
  /** Ends a backend for good. */
  terminate(backend: number): Promise<void>;
  /** Bytes on disk of a database. */
  size(database: string): Promise<number>;
  /** How much a session's database may grow, in bytes. */
  readonly growth: number;
}
