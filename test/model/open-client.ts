import {
  configureModels,
  type ModelClientOptions,
  type ModelRequest,
  type OpenModelClient,
  openModelClient,
} from "../../pipelines/model/index.js";
import type { EndpointConfiguration, ModelsConfiguration } from "../../schemas/types/models.js";
import { afterEachTest } from "../endings.js";
import { temporaryFolder } from "../sources/temporary.js";
import { type ModelServer, type ModelServerOptions, startModelServer } from "./model-server.mjs";

const closing: (() => Promise<void>)[] = [];
afterEachTest(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that goes when the test is over. */
export async function server(options: ModelServerOptions = {}): Promise<ModelServer> {
  const started = await startModelServer(options);
  closing.push(() => started.close());
  return started;
}

/** Limits that make failing quick. */
export const QUICK: EndpointConfiguration = {
  concurrency: 64,
  deadline_ms: 2000,
  max_attempts: 6,
  backoff_ms: 1,
  max_backoff_ms: 20,
};

/** A client whose roles are all at `url`; closed when the test is over. */
export async function client(
  url: string,
  {
    endpoint = {},
    roles = {},
    out = temporaryFolder(),
    ...options
  }: {
    endpoint?: EndpointConfiguration;
    roles?: ModelsConfiguration["roles"];
    out?: string;
  } & Partial<ModelClientOptions> = {},
): Promise<OpenModelClient> {
  const { environment = {} } = options;
  const endpoints = { local: { base_url: url, ...QUICK, ...endpoint } };
  const models = configureModels({ endpoints, ...(roles === undefined ? {} : { roles }) }, environment);
  const opened = await openModelClient({ models, out, ...options });
  closing.push(() => opened.close());
  return opened;
}

/** A request of one user message. */
export const request = (content: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  role: "solver",
  template: "test@1",
  messages: [{ role: "user", content }],
  ...more,
});
