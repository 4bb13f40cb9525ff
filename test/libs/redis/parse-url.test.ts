// REDIS_URL defines where Redis is, and nothing else that the code relies on. Every fault is found before a connection.
import { describe, expect, test } from "vitest";
import { parseRedisUrl, redisUrlFaults, withSentinelUser } from "#redis/parse-url.ts";

const common = { access: {}, ignored: [] };
const single = { kind: "single", db: 0, socket: null, ...common };
const sentinel = { kind: "sentinel", db: 0, master: "mymaster", sentinelAccess: {}, ...common };
const cluster = { kind: "cluster", ...common };
const node = (host: string, port: number) => ({ host, port });

describe("a URL names", () => {
  test.each([
    ["redis://h", { ...single, nodes: [node("h", 6379)] }],
    ["redis://h/", { ...single, nodes: [node("h", 6379)] }],
    ["redis://my_redis:1/15", { ...single, db: 15, nodes: [node("my_redis", 1)] }],
    ["redis://[::1]:6380/0", { ...single, nodes: [node("::1", 6380)] }],
    ["redis://h?db=3", { ...single, db: 3, nodes: [node("h", 6379)] }],
    ["redis://h?path=/run/redis.sock", { ...single, socket: "/run/redis.sock", nodes: [node("h", 6379)] }],
    ["redis://:p%40:w@h", { ...single, access: { password: "p@:w" }, nodes: [node("h", 6379)] }],
    ["redis://u:a:b@h", { ...single, access: { username: "u", password: "a:b" }, nodes: [node("h", 6379)] }],
    ["redis://u:a@b@h", { ...single, access: { username: "u", password: "a@b" }, nodes: [node("h", 6379)] }],
    [
      "redis://h?password=p@w&family=6",
      { ...single, access: { password: "p@w", family: 6 }, nodes: [node("h", 6379)] },
    ],
    ["redis://h?tls=true", { ...single, access: { tls: {} }, nodes: [node("h", 6379)] }],
    ["redis://h?tls=false", { ...single, nodes: [node("h", 6379)] }],
    [
      "rediss://h?tls=RedisCloudFixed",
      { ...single, access: { tls: { profile: "RedisCloudFixed" } }, nodes: [node("h", 6379)] },
    ],
    [
      "rediss://h?connectionName=xp",
      { ...single, access: { tls: {}, connectionName: "xp" }, nodes: [node("h", 6379)] },
    ],
    [
      "redis://h?keyPrefix=x:&maxRetriesPerRequest=5&commandTimeout=1&enableOfflineQueue=true&ssl_cert_reqs=none",
      {
        ...single,
        nodes: [node("h", 6379)],
        ignored: ["keyPrefix", "maxRetriesPerRequest", "commandTimeout", "enableOfflineQueue", "ssl_cert_reqs"],
      },
    ],
    [
      "redis+sentinel://u:p@s1:1,s2,[::1]:3/mymaster",
      {
        ...sentinel,
        access: { username: "u", password: "p" },
        nodes: [node("s1", 1), node("s2", 26379), node("::1", 3)],
      },
    ],
    [
      "rediss+sentinel://s1/my%20master?db=2",
      {
        ...sentinel,
        db: 2,
        master: "my master",
        access: { tls: {} },
        sentinelAccess: { tls: {} },
        nodes: [node("s1", 26379)],
      },
    ],
    [
      withSentinelUser("redis+sentinel://s1/mymaster", { username: "su", password: "s@&=p" }),
      { ...sentinel, sentinelAccess: { username: "su", password: "s@&=p" }, nodes: [node("s1", 26379)] },
    ],
    ["redis+cluster://n1:7000,n2", { ...cluster, nodes: [node("n1", 7000), node("n2", 6379)] }],
    ["rediss+cluster://:p@n1/0?db=0", { ...cluster, access: { password: "p", tls: {} }, nodes: [node("n1", 6379)] }],
  ])("%s", (url, servers) => {
    expect(redisUrlFaults(url)).toEqual([]);
    expect(parseRedisUrl(url)).toEqual(servers);
  });
});

describe("a fault names what is wrong, and no value:", () => {
  test.each([
    ["S3cretHost", ["does not begin with redis://, rediss://"]],
    ["redis+cluster://", ["does not begin with redis://"]],
    ["redis://default:S3cr#etPw@h:6379", ["reserved character"]],
    ["redis://default:123#S3cret@h:6379", ["reserved character"]],
    ["redis://default:123/S3cret@h", ["reserved character"]],
    ["redis://default:123?S3cret=x@h", ["reserved character"]],
    ["redis://default:S3cr%et@h", ["a % in its password"]],
    ["redis://:6379", ["empty host name"]],
    ["redis:///1", ["empty host name"]],
    ["redis://h ost", ["invalid host name"]],
    ["redis://h:269999/abc", ["a port that is not", "a path that is not"]],
    ["redis://h:0", ["a port that is not"]],
    ["redis://h/1/2", ["a path that is not"]],
    ["redis://h/1#S3cret", ["a # at its end"]],
    ["redis://h?db=one&family=5", ["the option db", "the option family"]],
    ["redis://u:S3cret@a:1,b:2,c:3", ["redis+sentinel:// if they are Sentinels, with redis+cluster://"]],
    ["redis+sentinel://s1,s2", ["the name of the master"]],
    ["redis+sentinel://s1,,s2/a/b", ["empty host name", "the name of the master"]],
    ["redis+cluster://n1/1", ["a Cluster has only the database 0"]],
    ["redis+cluster://n1?db=1&path=/S3cret", ["the option db", "the option path"]],
  ])("%s", (url, parts) => {
    const faults = redisUrlFaults(url);
    expect(faults).toEqual(parts.map((part) => expect.stringContaining(part)));
    expect(faults.join()).not.toMatch(/S3cr|etPw/);
    expect(() => parseRedisUrl(url)).toThrow(/^The URL of Redis (?!.*S3cr)/);
  });
});
