import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeCertificate } from '#payment-simulator/certificate.js';
import type { ListenerTls } from '#platform/config/listener-tls.js';

/** A certificate for localhost and 127.0.0.1 and its encrypted key, in files of a folder of their own. */
export function listenerTls(): ListenerTls {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-tls-'));
  const { certificate: chainText, key } = makeCertificate('listener', Date.now());
  const passphrase = 'a phrase';
  const keyText = createPrivateKey(key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    .toString();
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  writeFileSync(certificateFile, chainText);
  writeFileSync(keyFile, keyText);
  const certificate = new X509Certificate(chainText);
  return { certificateFile, keyFile, passphrase, certificate, chainText, keyText };
}

export const removeFiles = ({ keyFile }: ListenerTls): void => rmSync(dirname(keyFile), { recursive: true });
