// Generated from schemas/croissant.schema.json by scripts/build.mjs. Do not edit: change the schema.

/**
 * What a release's croissant.json holds: the part of Croissant 1.1 (mlcommons.org/croissant/1.1) that describes it, with its origin in W3C PROV-O.
 */
export interface CroissantMetadata {
  "@context": {};
  "@type": "sc:Dataset";
  name: string;
  conformsTo: "http://mlcommons.org/croissant/1.1";
  description: string;
  version: string;
  /**
   * @minItems 1
   */
  license: [string, ...string[]];
  /**
   * The card, relative to this file: a release does not know where it will be published.
   */
  url: string;
  creator: CroissantAgent;
  citeAs: string;
  keywords?: string[];
  inLanguage?: string;
  isLiveDataset: false;
  /**
   * Version of this description's form.
   */
  sdVersion: string;
  "prov:wasDerivedFrom"?: CroissantSource[];
  "prov:wasGeneratedBy"?: CroissantActivity[];
  distribution: CroissantFileObject[];
  recordSet: CroissantRecordSet[];
}
export interface CroissantAgent {
  "@type": string | string[];
  "@id"?: string;
  name: string;
  version?: string;
  url?: string;
}
/**
 * An upstream source in the version that was read.
 */
export interface CroissantSource {
  "@type": string[];
  "@id": string;
  name: string;
  url: string;
  version: string;
  /**
   * Of the text that lists each file that was read as SHA256SUMS would (hash, two blanks, path, line feed; sorted by path).
   */
  sha256?: string;
  license: string[];
  citation: string;
  creditText?: string;
}
/**
 * The build of one dataset.
 */
export interface CroissantActivity {
  "@type": "prov:Activity";
  "@id": string;
  name: string;
  version?: string;
  "prov:used": CroissantReference;
  "prov:wasAssociatedWith": CroissantAgent;
}
export interface CroissantReference {
  "@id": string;
}
export interface CroissantFileObject {
  "@type": "cr:FileObject";
  "@id": string;
  name: string;
  description?: string;
  /**
   * Relative to this file.
   */
  contentUrl: string;
  contentSize: string;
  encodingFormat: string;
  sha256: string;
  "prov:wasGeneratedBy"?: CroissantReference;
  "prov:wasDerivedFrom"?: CroissantReference;
}
export interface CroissantRecordSet {
  "@type": "cr:RecordSet";
  "@id": string;
  name: string;
  description: string;
  dataType?: string;
  key: CroissantReference;
  annotation?: CroissantField;
  field: CroissantField[];
  data?: {}[];
  "prov:wasGeneratedBy"?: CroissantReference;
}
export interface CroissantField {
  "@type": "cr:Field";
  "@id": string;
  name: string;
  description?: string;
  dataType?: string | string[];
  isArray?: boolean;
  arrayShape?: string;
  value?: number;
  references?: CroissantReference;
  source?: {
    fileObject: CroissantReference;
    extract: {
      jsonPath: string;
    };
  };
  subField?: CroissantField[];
}
