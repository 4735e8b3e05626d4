import type { SqlSession } from '#platform/sql/sql.js';
import type { Report } from './ledger-fault.js';

/** Recomputes the blocks of a ledger, batch by batch. */
export class BlockCheck {
  readonly #transfersPerBlock: bigint;
  readonly #begun = [1n];
  #transfers = 0n;

  private constructor(transfersPerBlock: bigint) {
    this.#transfersPerBlock = transfersPerBlock;
  }

  static async of(tx: SqlSession): Promise<BlockCheck> {
    const { rows } = await tx.query<{ size: bigint }>('SELECT ledger_block_transfers() AS size');
    return new BlockCheck(rows[0]!.size);
  }

  /** The first batch of the block that contains the next batch. */
  blockOf(batchNo: bigint, transfers: number): bigint {
    if (this.#transfers >= this.#transfersPerBlock) {
      this.#begun.push(batchNo);
      this.#transfers = 0n;
    }
    this.#transfers += BigInt(transfers);
    return this.#begun.at(-1)!;
  }

  /** Compares the blocks when all batches are read. */
  async compare(tx: SqlSession, report: Report): Promise<void> {
    const blocks = await tx.query<{ first_batch: bigint }>('SELECT first_batch FROM ledger_block ORDER BY 1');
    const said = blocks.rows.map(({ first_batch }) => first_batch).join();
    if (said !== this.#begun.join())
      report(
        'block',
        'ledger',
        `${blocks.rowCount} blocks are said to begin where ${this.#begun.length} do not.`,
      );
    const tip = await tx.query<{ block: bigint; block_transfers: bigint }>(
      'SELECT block, block_transfers FROM ledger_chain_head',
    );
    const last = this.#begun.at(-1)!;
    if (tip.rows[0]?.block !== last || tip.rows[0].block_transfers !== this.#transfers)
      report(
        'block',
        'ledger',
        `The last block began with batch ${last} and has ${this.#transfers} transfers.`,
      );
  }
}
