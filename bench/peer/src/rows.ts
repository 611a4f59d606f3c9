// Rows as values. A row is a JSON array in the order of its statement's columns.

import type { Credential } from "./access.ts";
import { Refusal } from "./refusal.ts";

/** The parts of a stored claim that a send needs. */
export interface StoredClaim {
  claimNumber: string;
  id: string;
  status: string;
  keyVersion: number;
  patientTag: string;
  procedureTag: string | null;
  dateOfService: string;
  payerClaimNumber: string;
  billed: number | null;
  denied: number | null;
  /** The optional parts that it has, if known. */
  present: number | null;
}

/** The newest data key of a practice. */
export interface StoredDataKey {
  version: number;
  id: string;
  keyVersion: number;
  /** `null` after its destruction. */
  wrapped: string | null;
}

/** Today's mismatches of each claim and of the practice. */
export interface Counts {
  claims: Map<string, number>;
  practice: number;
}

/** The parts of a stored claim that a status read shows. */
export interface StoredStatus {
  id: string;
  status: string;
  signingStatus: string;
}

export function credentialOf(row: unknown): Credential | undefined {
  if (row === undefined) return undefined;
  const [practiceId, apiKeyId, scopes, expiresAt, revoked, lastUsedAt, practiceState, baaSigned, appealButton] =
    array(row) as [string, string, string, number, number, number | null, string, number, number];
  return {
    practiceId,
    apiKeyId,
    scopes: scopes.split(" "),
    expiresAt,
    isRevoked: revoked !== 0,
    lastUsedAt,
    practiceState,
    baaSigned: baaSigned !== 0,
    appealButton: appealButton !== 0,
  };
}

/** What a send needs of its caller. */
export function senderOf(row: unknown): { credential: Credential | undefined; dataKey: StoredDataKey | undefined } {
  if (row === undefined) return { credential: undefined, dataKey: undefined };
  const [credential, key] = array(row);
  return { credential: credentialOf(credential), dataKey: key === null ? undefined : dataKeyOf(key) };
}

function dataKeyOf(row: unknown): StoredDataKey {
  const [version, id, keyVersion, wrapped] = array(row) as [number, string, number, string | null];
  return { version, id, keyVersion, wrapped };
}

/** The claims of a send's numbers, and today's mismatches. No row for an unknown key. */
export function storedOf(row: unknown): { claims: StoredClaim[]; counts: Counts } {
  const [claims, mismatches] = array(row ?? [[], []]) as [unknown, [string | null, number, number][]];
  const counts: Counts = { claims: new Map(), practice: 0 };
  for (const [claim, count] of mismatches) {
    if (claim === null) counts.practice = count;
    else counts.claims.set(claim, count);
  }
  return { claims: claimsOf(claims), counts };
}

type Cents = number | null;
type ClaimRow = [string, string, string, number, string, string | null, string, string, Cents, Cents, number | null];

function claimsOf(rows: unknown): StoredClaim[] {
  return (array(rows) as ClaimRow[]).map((row) => ({
    claimNumber: row[0],
    id: row[1],
    status: row[2],
    keyVersion: row[3],
    patientTag: row[4],
    procedureTag: row[5],
    dateOfService: row[6],
    payerClaimNumber: row[7],
    billed: row[8],
    denied: row[9],
    present: row[10],
  }));
}

/** The results of a batch: how many claims are exactly as created, and the other claims. */
export interface Outcome {
  created: number;
  others: StoredClaim[];
}

export function outcomeOf(row: unknown): Outcome {
  const [created, others] = array(row) as [number, unknown];
  return { created, others: claimsOf(others) };
}

/** The caller of a status read, and the claim. */
export function readOf(row: unknown): { credential: Credential | undefined; claim: StoredStatus | undefined } {
  if (row === undefined) return { credential: undefined, claim: undefined };
  const [credential, claim] = array(row);
  return { credential: credentialOf(credential), claim: claim === null ? undefined : statusOf(claim) };
}

function statusOf(row: unknown): StoredStatus {
  const [id, status, signingStatus] = array(row) as [string, string, string];
  return { id, status, signingStatus };
}

function array(row: unknown): unknown[] {
  if (!Array.isArray(row)) throw Refusal.internal("row of an unknown form");
  return row;
}
