import { createHash, createHmac } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const hmac = (key, text) => createHmac('sha256', key).update(text).digest();

/**
 * An S3 request without body and query, signed with AWS Signature Version 4 (header form, canonical request →
 * string to sign → signature, in the names of the AWS document).
 */
export function signedFetch(method, url, { accessKey, secretKey, region }) {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const payloadHash = sha256('');
  const headers = { host: url.host, 'x-amz-content-sha256': payloadHash, 'x-amz-date': time };
  const signedHeaders = Object.keys(headers).join(';');
  const headerLines = Object.entries(headers).map(([key, value]) => `${key}:${value}\n`);
  const canonicalRequest = [method, url.pathname, '', headerLines.join(''), signedHeaders, payloadHash].join(
    '\n',
  );
  const scope = `${day}/${region}/s3/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest)].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce(hmac, `AWS4${secretKey}`);
  const signature = createHmac('sha256', signingKey).update(stringToSign).digest('hex');
  const credential = `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}`;
  const authorization = `${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
  return fetch(url, { method, headers: { ...headers, authorization }, signal: AbortSignal.timeout(3000) });
}
