/** What keeps the ledger append-only, and its summaries to the trigger that posts. */
export const ledgerGuards = `
-- Refused edits are counted by a sequence, because it keeps its value when the refused statement rolls back.
CREATE SEQUENCE ledger_edits_refused MINVALUE 0 START 0;
SELECT nextval('ledger_edits_refused');
CREATE FUNCTION ledger_refuses_edits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM nextval('ledger_edits_refused');
  RAISE EXCEPTION '% is append-only: correct it by a counter-entry', TG_TABLE_NAME USING ERRCODE = 'ML001';
END $$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_account
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_batch
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_balance_history
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_block
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
-- Balances, history, seals and chain head belong to the trigger that posts: at depth 0 somebody writes them
-- by hand.
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_batch
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_balance_history
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT ON ledger_block
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_chain_head
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_chain_head
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger BEFORE INSERT OR UPDATE OR DELETE ON ledger_account_balance
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ledger_refuses_edits();
CREATE TRIGGER written_by_trigger_alone BEFORE TRUNCATE ON ledger_account_balance
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuses_edits();
`;
