// Puts crypto where browsers and node 20 have it: node 18, which is Debian 12's, keeps it to itself.
import {webcrypto} from 'node:crypto';

globalThis.crypto ??= webcrypto;
