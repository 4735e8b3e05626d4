import { type ClientTls, securityOf } from '../config/connection-security.js';
import { WrongSetting } from '../config/wrong-setting.js';

export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

type Mechanism = (typeof saslMechanisms)[number];

/** SASL, as kafkajs takes it. */
export type KafkaLogin = {
  [Each in Mechanism]: { readonly mechanism: Each; readonly username: string; readonly password: string };
}[Mechanism];

export interface KafkaServers {
  /** `host:port` each; the first that answers names the others. */
  readonly brokers: readonly string[];
  readonly tls?: ClientTls;
  readonly login?: KafkaLogin;
}

/**
 * The servers that an address names: `kafka://[user:password@]host:port[,host:port]`, with `?tls=true`, files
 * named by `ca=`, `cert=`, `key=` and `passwordFile=`, and `sasl=` for a user. Throws a sentence.
 */
export function kafkaServersOf(address: string): KafkaServers {
  const fault = (what: string) =>
    new WrongSetting(`The address of Kafka ${what}: write kafka://host:port[,host:port].`);
  // Several hosts make no URL.
  const parts = /^kafka:\/\/(?:([^@/]*)@)?([^@/?]+)\/?(?:\?(.*))?$/.exec(address);
  const brokers = parts?.[2]?.split(',') ?? [];
  if (parts === null || !brokers.every((each) => /^[\w.-]+:\d{1,5}$|^\[[\da-f:]+\]:\d{1,5}$/i.test(each)))
    throw fault('is malformed');
  const parameters = new URLSearchParams(parts[3]);
  const [username = '', ...rest] = (parts[1] ?? '').split(':').map(decodeURIComponent);
  const { tls, password } = securityOf({ parameters, others: ['sasl'], password: rest.join(':') }, fault);
  const login = loginOf(username, password, parameters, fault);
  return { brokers, ...(tls === undefined ? {} : { tls }), ...(login === undefined ? {} : { login }) };
}

function loginOf(
  username: string,
  password: string | undefined,
  parameters: URLSearchParams,
  fault: (what: string) => Error,
): KafkaLogin | undefined {
  const mechanism = saslMechanisms.find((each) => each === parameters.get('sasl'));
  if (parameters.has('sasl') && mechanism === undefined)
    throw fault(`has the unknown sasl '${parameters.get('sasl')}'; there are ${saslMechanisms.join(', ')}`);
  if (username === '') {
    if (mechanism !== undefined || password !== undefined) throw fault('has no user');
    return undefined;
  }
  if (mechanism === undefined)
    throw fault(`has a user and no 'sasl', which is one of ${saslMechanisms.join(', ')}`);
  if (password === undefined) throw fault('has no password');
  return { mechanism, username, password } as KafkaLogin;
}
