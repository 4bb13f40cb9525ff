// Before every module: zod interprets schemas instead of compiling them, which the Content-Security-Policy forbids and
// would report.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
