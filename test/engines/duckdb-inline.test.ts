import { duckdbInline } from "../../src/engines/duckdb-inline.js";
import { engineContract } from "../engine.contract.js";

engineContract({ open: (temp, threads) => duckdbInline({ temp, threads }), runs: 40 });
