package dev.millrace.contract.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing of the operator's gets through, however it is written. */
class HostileTextTest {

  /** Put together here, so that no scanner takes the test's own text for somebody's key. */
  static List<String> keys() {
    String random = "Ab3dEf6hIj9kLmN2pQr5tUv8xYz1";
    return List.of(
        "sk-" + random,
        "sk-proj-" + random,
        "sk-ant-api03-" + random,
        "sk-test-canary-123",
        "sk-abcdefghijklmnop",
        "hf_" + random + "qwerty",
        "r8_" + random,
        "AKIA" + "IOSFODNN7EXAMPLE",
        "ASIA" + "Y34FZKBOKMUTVV7A",
        "ghp_" + random + "12345678",
        "gho_" + random,
        "github_pat_" + "11ABCDEFG0abcdefghij_" + random,
        "glpat-" + "abc123def456ghi789jk",
        "xoxb-" + "123456789012-abcdefABCDEF",
        "xoxp-" + "1234-5678-abcd",
        "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
        "ya29." + random,
        "mr_" + random + random.substring(0, 21),
        "mrw_" + "abcDEF123",
        "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "sk_live_" + random,
        "rk_test_" + random,
        "gsk_" + random,
        "nvapi-" + random,
        "npm_" + random + "12345678",
        "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N",
        "eyJ" + "hbGciOiJub25lIn0.e30.",
        "b4c0ffee-0000-4000-8000-1234567890ab:" + "0123456789abcdef0123456789abcdef",
        "wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void a_key_is_seen_wherever_it_stands(String key) {
    assertThat(OwnerText.line(key)).isEqualTo("[secret]");
    assertThat(OwnerText.line("failed with " + key + " today"))
        .isEqualTo("failed with [secret] today");
    assertThat(OwnerText.line("(" + key + ")")).isEqualTo("([secret])");
    assertThat(OwnerText.line("'" + key + "'.")).isEqualTo("'[secret]'.");
    assertThat(OwnerText.line("key:" + key)).doesNotContain(key);
    assertThat(OwnerText.line("x=" + key + "&y=1")).doesNotContain(key);
    assertThat(OwnerText.line("{\"k\":\"" + key + "\"}")).doesNotContain(key);
    assertThat(OwnerText.line("Authorization: Bearer " + key)).doesNotContain(key);
    assertThat(OwnerText.line("https://u:" + key + "@h.example/" + key + "?k=" + key + "&x=1"))
        .isEqualTo("[url]");
    // Nor does another form of its letters hide it.
    assertThat(OwnerText.line("a " + fullwidth(key) + " b")).isEqualTo("a [secret] b");
    assertThat(OwnerText.line("a " + fullwidth(key.substring(0, 2)) + key.substring(2)))
        .doesNotContain(key.substring(key.length() - 6));
    // A mark that nobody sees doesn't hide it.
    for (String mark : List.of("\u200b", "\u200d", "\u202e", "\u00ad", "\ufeff", "\u2060")) {
      String split = key.substring(0, 3) + mark + key.substring(3, 9) + mark + key.substring(9);
      assertThat(OwnerText.line("a " + split + " b")).isEqualTo("a [secret] b");
    }
  }

  private static String fullwidth(String text) {
    return text.chars()
        .map(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_' ? c + 0xfee0 : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          password=hunter2                           | password=[secret]
          PASSWORD = 'correct horse battery'         | PASSWORD = '[secret]'
          {"password": "hunter2", "n": 1}            | {"password": "[secret]", "n": 1}
          {\\"password\\": \\"hunter2\\"}            | {\\"password\\": \\"[secret]\\"}
          {'apiKey': 'abc'}                          | {'apiKey': '[secret]'}
          password: hunter2 was wrong                | password: [secret] was wrong
          password: swordfish                        | password: [secret]
          passwd=a;pwd=b;passphrase=c                | passwd=[secret];pwd=[secret];passphrase=[secret]
          DB_PASSWORD=x REPLICATE_API_TOKEN=y        | DB_PASSWORD=[secret] REPLICATE_API_TOKEN=[secret]
          token=abc&next=1                           | token=[secret]&next=1
          access_token=abc, refreshToken: "def"      | access_token=[secret], refreshToken: "[secret]"
          api_key=abc api-key=def apikey=ghi         | api_key=[secret] api-key=[secret] apikey=[secret]
          X-Api-Key: 0123abc                         | X-Api-Key: [secret]
          X-Fleet-Secret: swordfish                  | X-Fleet-Secret: [secret]
          Authorization: Key a-b                     | Authorization: [secret]
          authorization=Basic dXNlcjpwYXNz           | authorization=[secret]
          Cookie: session=abc; other=def             | Cookie: [secret]
          client_secret => abc                       | client_secret => [secret]
          used Bearer abc.def for it                 | used [secret] for it
          used bearer AbCdEf for it                  | used [secret] for it
          Basic dXNlcjpwYXNz                         | [secret]
          run --password hunter2 --verbose           | run --password [secret] --verbose
          run --token=abc                            | run --token=[secret]
          the password is hunter2                    | the password is [secret]
          the password 'sword fish' or 'swordfish'   | the password 'sword fish' or 'swordfish'
          password 'swordfish' refused               | password [secret] refused
          key=AbCdEfGh12345678 invalid               | key=[secret] invalid
          ?X-Amz-Signature=0a1b&X-Amz-Date=2         | ?X-Amz-Signature=[secret]&X-Amz-Date=2
          X-Amz-Credential=A/B X-Amz-Security-Token=C| X-Amz-Credential=[secret] X-Amz-Security-Token=[secret]
          AWSAccessKeyId=abc&Signature=def           | AWSAccessKeyId=[secret]&Signature=[secret]
          GET /objects/a/b.png?expires=1&signature=2 | GET [path]
          msg:password=hunter2                       | msg:password=[secret]
          {"error": "login with password=hunter2"}   | {"error": "login with password=[secret]"}
          error=token=abc123                         | error=token=[secret]
          password=[hunter2]                         | password=[secret]]
          curl -u admin:hunter2secret https          | curl -u [secret] https
          curl --user "admin:hunter2secret" x        | curl --user "[secret]" x
          curl --proxy-user=admin:swordfish x        | curl --proxy-user=[secret] x
          passwd hunter2secret                       | passwd [secret]
          ｐａｓｓｗｏｒｄ＝ｈｕｎｔｅｒ２                  | password=[secret]
          password：hunter2                          | password:[secret]
          key tenants/acme/jobs/1/output-2.png       | key [path]
          """)
  void a_value_whose_name_says_that_it_is_secret_is_not_shown(String raw, String shown) {
    assertThat(OwnerText.line(raw)).isEqualTo(shown);
    assertThat(OwnerText.line(shown)).as("again").isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          GET https://s3.example/a?X-Amz-Signature=abc failed | GET [url] failed
          See https://api.replicate.com/v1/predictions.       | See [url].
          (HTTPS://FAL.RUN/x), http://10.0.0.1:80/            | ([url]), [url]
          https:\\/\\/api.openai.com\\/v1                     | [url]
          https%3A%2F%2Fapi.openai.com%2Fv1                   | [url]
          aaaaaaaaaaaaaaaaaaaaaaaaaaahttps://x.example/y      | aaaaaaaaaaa[url]
          jdbc:postgresql://db/x?user=u&password=p            | [url]
          postgres://user:pw@db.internal/x                    | [url]
          s3://bucket/key ws://gpu/ws wss://gpu/ws            | [url] [url] [url]
          file:///etc/passwd file:/etc/passwd                 | [path] [path]
          data:image/png;base64,iVBORw0KGgo=                  | [data]
          请访问https://x.example/a。谢谢                      | 请访问[url]。谢谢
          user:hunter2@db.internal                            | [secret]
          mail ops@example.com now                            | mail [address] now
          connect to 10.0.3.17:8188 failed                    | connect to [address] failed
          from 192.168.0.0/16, 127.0.0.1.                     | from [address], [address].
          ip=169.254.169.254                                  | ip=[address]
          fe80::1%eth0 and ::1 and 2001:db8::8a2e:370:7334    | [address] and [address] and [address]
          [2001:0db8:85a3:0000:0000:8a2e:0370:7334]:80        | [[address]]:80
          00:1a:2b:3c:4d:5e                                   | [address]
          api.replicate.com timed out                         | [host] timed out
          queue.fal.run, fal.run, huggingface.co              | [host], [host], [host]
          comfy.default.svc.cluster.local:8188                | [host]
          ip-10-0-3-17.eu-west-1.compute.internal             | [host]
          gpu-07:8188 and localhost:8188 and localhost        | [host] and [host] and [host]
          instance i-0abcd1234ef567890 is gone                | instance [host] is gone
          UnknownHostException: comfyui                       | UnknownHostException: [host]
          getaddrinfo ENOTFOUND comfy                         | getaddrinfo ENOTFOUND [host]
          HTTPSConnectionPool(host='gpu7', port=443)          | HTTPSConnectionPool(host='[host]', port=443)
          comfy/172.18.0.5:8188 refused                       | comfy/[address] refused
          """)
  void where_things_are_is_not_shown(String raw, String shown) {
    assertThat(OwnerText.line(raw)).isEqualTo(shown);
    assertThat(OwnerText.line(shown)).as("again").isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          No such file: '§home/bob/models/x.safetensors'  | No such file: '[path]'
          can't open /opt/ComfyUI/main.py: denied         | can't open [path]: denied
          File "/usr/lib/python3/x.py", line 3, in run    | File "[path]", line 3, in run
          File "§Users/John Smith/a.py", line 3           | File "[path]", line 3
          look in /tmp.                                   | look in [path].
          (/var/log/syslog)                               | ([path])
          error:§root/.ssh/id_rsa                         | error:[path]
          ~/.cache/huggingface/token ../x/y ./run.sh      | [path] [path] [path]
          $HOME/models ${HOME}/x %APPDATA%\\Comfy         | [path] [path] [path]
          C:\\Users\\John Smith\\AppData\\x.txt not found | [path] not found
          C:\\\\Users\\\\bob\\\\x.txt                     | [path]
          D:/models/x.ckpt missing                        | [path] missing
          "C:\\Program Files\\Comfy UI"                   | "[path]"
          \\\\fileserver\\share\\models                   | [path]
          /data                                           | [path]
          /model.safetensors                              | [path]
          //etc/passwd                                    | [path]
          models/checkpoints/private/x.safetensors        | [path]
          no models\\loras\\ada.safetensors, sorry    | no [path], sorry
          loading 'ComfyUI/models/vae/x.pt'.              | loading '[path]'.
          §home/ünï/文件/x                                | [path]
          """)
  void files_of_a_machine_are_not_shown(String raw, String shown) {
    // A folder of somebody's machine may not stand in the sources, not even an invented one.
    assertThat(OwnerText.line(raw.replace('§', '/'))).isEqualTo(shown);
    assertThat(OwnerText.line(shown)).as("again").isEqualTo(shown);
  }

  @Test
  void a_private_key_is_not_shown_not_even_its_beginning() {
    String begin = "-----BEGIN RSA " + "PRIVATE KEY-----\n";
    String body = "MIIEpAIBAAKCAQEA\nabc+/def\n";

    assertThat(OwnerText.line("x " + begin + body + "-----END RSA PRIVATE KEY----- y"))
        .isEqualTo("x [secret] y");
    assertThat(OwnerText.line("x " + begin + body)).isEqualTo("x [secret]");
    assertThat(OwnerText.lines(("x " + begin + body).replace("\n", "\\n"), 500))
        .isEqualTo("x [secret]");
  }

  @Test
  void a_secret_on_the_next_line_is_a_secret() {
    assertThat(OwnerText.line("password:\nhunter2")).isEqualTo("password: [secret]");
    assertThat(OwnerText.lines("Authorization: Bearer abc\nHost: gpu", 500))
        .isEqualTo("Authorization: [secret]\nHost: gpu");
  }
}
