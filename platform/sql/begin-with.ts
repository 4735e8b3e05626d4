import pg from 'pg';

/** Methods that the driver calls on a query and on a connection; its types omit them. */
interface DriverQuery {
  submit(connection: DriverConnection): Error | null;
  handleCommandComplete(message: unknown, connection: DriverConnection): void;
}
interface DriverConnection {
  readonly stream: pg.Connection['stream'];
  /** Statement texts by the names under which the server has prepared them. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  bind(to: { readonly statement: string }): void;
  execute(what: object): void;
}

const connectionOf = (client: pg.PoolClient) =>
  (client as unknown as { readonly connection: DriverConnection }).connection;

/**
 * Sends BEGIN separately for the first transaction of a connection, which prepares BEGIN under its own text
 * as name. False if it was prepared before.
 */
export async function beginsAlone(client: pg.PoolClient, begin: string): Promise<boolean> {
  if (connectionOf(client).parsedStatements[begin] !== undefined) return false;
  await client.query({ name: begin, text: begin });
  return true;
}

/**
 * Begins a transaction with a statement that has values: both are sent in one packet and answered in one.
 * They share one Sync, so a statement with a failed BEGIN is not run outside of a transaction.
 */
export function beginWith(
  client: pg.PoolClient,
  begin: string,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(config, (error: Error | undefined | null, result) => {
      if (error === undefined || error === null) resolve(result as unknown as pg.QueryResult);
      else reject(error);
    });
    const driven = query as unknown as DriverQuery;
    const { submit, handleCommandComplete } = driven;
    driven.submit = (to) => {
      to.stream.cork();
      try {
        to.bind({ statement: begin });
        to.execute({});
        return submit.call(driven, to);
      } finally {
        to.stream.uncork();
      }
    };
    driven.handleCommandComplete = () => {
      // That was BEGIN.
      driven.handleCommandComplete = handleCommandComplete;
    };
    client.query(query);
  });
}
