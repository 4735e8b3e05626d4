import { nodeTransport } from '#platform/http-transport/node-transport.js';
import { httpServerContract } from './http-server/http-server.contract.js';

httpServerContract(nodeTransport);
