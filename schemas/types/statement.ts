// Generated from schemas/statement.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * An in-toto Statement v1 with the predicate SLSA provenance v1: which files a release consists of, and what they were made from. It carries no time and is not signed.
 */
export interface ReleaseStatement {
  _type: "https://in-toto.io/Statement/v1";
  /**
   * Every file of the release but this one and SHA256SUMS, sorted by name.
   *
   * @minItems 1
   */
  subject: [StatementSubject, ...StatementSubject[]];
  predicateType: "https://slsa.dev/provenance/v1";
  predicate: {
    buildDefinition: {
      buildType: string;
      /**
       * What was asked for. Never the build seed: whoever knows it can draw the order of readings again.
       */
      externalParameters: {
        name: string;
        version: string;
        zones: string[];
        /**
         * Dataset → the version of the pipeline that made it.
         */
        datasets: {
          [k: string]: string;
        };
      };
      /**
       * Sources, and in a release with private zones their files, sorted by name.
       */
      resolvedDependencies: StatementDependency[];
    };
    runDetails: {
      builder: {
        id: string;
        version: {
          [k: string]: string;
        };
      };
    };
  };
}
export interface StatementSubject {
  /**
   * Path in the release, forward slashes.
   */
  name: string;
  digest: Digest;
}
export interface Digest {
  sha256: string;
}
export interface StatementDependency {
  name: string;
  uri: string;
  digest?: Digest;
  downloadLocation?: string;
  annotations?: {
    [k: string]: string;
  };
}
